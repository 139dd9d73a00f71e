// A Ledger with the Zcash app, as its pages describe it (docs/APDU.md and docs/PCZT_APDU.md of LedgerHQ/app-zcash 3.9.3): its own
// reports, commands, checks and limits. It shares no code with packages/devices/src/ledger. No device was at hand.

import { deriveSigningKeys } from '@wallet-companion/pczt/signer';
import { encodeUnifiedViewingKey } from '@wallet-companion/zcash/addresses';
import {
  deriveTransparentKeyPair,
  deriveViewingKeys,
  type FullViewingKeys,
} from '@wallet-companion/zcash/keys';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { NOTE_SCHEMES } from '@wallet-companion/zcash/notes';
import {
  cryptographyOf,
  shieldedSighash,
  signInput,
  type TransactionEffects,
} from '@wallet-companion/zcash/signing';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';

export interface MockLedgerOptions {
  readonly seed: Uint8Array;
  readonly params: NetworkParameters;
  /** Status words that the device gives in the place of an answer, by command. */
  readonly statuses?: Readonly<Record<number, number>>;
  readonly app?: string;
  /** Replaces answers of the app, after its checks. */
  readonly tamper?: (ins: number, answer: Uint8Array) => Uint8Array;
}

const OK = 0x9000;
const INCORRECT = 0x6a80;
const NOT_READY = 0x6986;
const HARDENED = 0x8000_0000;

class Status extends Error {
  readonly word: number;
  constructor(word: number) {
    super(word.toString(16));
    this.word = word;
  }
}
const check: (holds: boolean, word?: number) => asserts holds = (holds, word = INCORRECT) => {
  if (!holds) throw new Status(word);
};

/** Reads one packet from its start to its end. */
class Packet {
  #at = 0;
  readonly #bytes: Buffer;
  constructor(bytes: Uint8Array | undefined) {
    check(bytes !== undefined);
    this.#bytes = Buffer.from(bytes);
  }
  take(length: number): Uint8Array {
    check(this.#at + length <= this.#bytes.length);
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
  u8 = (): number => this.take(1)[0]!;
  u32 = (): number => Buffer.from(this.take(4)).readUInt32LE();
  u64 = (): bigint => Buffer.from(this.take(8)).readBigUInt64LE();
  compact(): number {
    const first = this.u8();
    if (first < 253) return first;
    check(first === 253);
    return Buffer.from(this.take(2)).readUInt16LE();
  }
  path = (): number[] => Array.from({ length: this.u8() }, () => Buffer.from(this.take(4)).readUInt32BE());
  rest = (): Uint8Array => this.take(this.#bytes.length - this.#at);
  end(): void {
    check(this.#at === this.#bytes.length);
  }
}

/** One field of many packets. */
function longField(packets: Iterator<Uint8Array>): Uint8Array {
  const first = new Packet(packets.next().value);
  const length = first.compact();
  const pieces = [first.rest()];
  const size = () => pieces.reduce((sum, piece) => sum + piece.length, 0);
  while (size() < length) pieces.push(new Packet(packets.next().value).rest());
  check(size() === length);
  return Buffer.concat(pieces);
}

interface Action {
  readonly effects: NonNullable<TransactionEffects['orchard']>['actions'][number];
  readonly value: bigint;
  readonly alpha: Uint8Array;
  readonly account: number;
}
type Pool = 'orchard' | 'ironwood';

interface Input {
  readonly effects: TransactionEffects['inputs'][number];
  readonly path: readonly number[];
}

export class MockLedger {
  readonly #options: MockLedgerOptions;
  readonly #randomBytes = seededBytes(77);
  #incoming: { readonly length: number; bytes: Buffer; sequence: number } | undefined;
  #pending: Buffer = Buffer.alloc(0);
  /** Packets of the commands in their order, and how each began and ended. */
  #stream: { readonly ins: number; readonly packets: Uint8Array[]; isLast: boolean }[] = [];
  #actions: Partial<Record<Pool, readonly Action[]>> = {};
  #inputs: readonly Input[] = [];
  #effects: TransactionEffects | undefined;
  readonly #signed = new Set<string>();
  /** The instructions that it was sent. */
  readonly seen: number[] = [];

  constructor(options: MockLedgerOptions) {
    this.#options = options;
  }

  /** A report from the host; the reports of the answer when the message is whole. */
  report(report: Uint8Array): readonly Uint8Array[] {
    const bytes = Buffer.from(report);
    if (bytes.length !== 64 || bytes.readUInt16BE(0) !== 0x0101 || bytes[2] !== 5)
      throw new Error('bad report');
    const sequence = bytes.readUInt16BE(3);
    if (sequence === 0)
      this.#incoming = { length: bytes.readUInt16BE(5), bytes: bytes.subarray(7), sequence: 0 };
    else {
      const incoming = this.#incoming!;
      if (sequence !== incoming.sequence + 1) throw new Error('a report is out of order');
      incoming.sequence = sequence;
      incoming.bytes = Buffer.concat([incoming.bytes, bytes.subarray(5)]);
    }
    const { length, bytes: all } = this.#incoming!;
    if (all.length < length) return [];
    this.#incoming = undefined;
    return reportsOf(this.apdu(all.subarray(0, length)));
  }

  apdu(message: Uint8Array): Uint8Array {
    const [cla, ins = 0, p1 = 0, p2 = 0, length] = message;
    const { statuses = {}, app = 'Zcash', tamper = (_, answer) => answer } = this.#options;
    this.seen.push(ins);
    try {
      const data = message.subarray(5);
      check(length === data.length, 0x6700);
      const status = statuses[ins];
      check(status === undefined, status);
      const answer = cla === 0xb0 && ins === 1 ? appAnswer(app) : this.#zcash(cla!, ins, p1, p2, data);
      return Buffer.concat([tamper(ins, answer), word(OK)]);
    } catch (thrown) {
      if (!(thrown instanceof Status)) throw thrown;
      this.#forget();
      return word(thrown.word);
    }
  }

  #forget(): void {
    this.#stream = [];
    this.#actions = {};
    this.#inputs = [];
    this.#effects = undefined;
    this.#signed.clear();
  }

  #zcash(cla: number, ins: number, p1: number, p2: number, data: Uint8Array): Uint8Array {
    check(cla === 0xe0 && (this.#options.app ?? 'Zcash') === 'Zcash', 0x6e00);
    if (ins === 0x50) return this.#viewingKey(p1, p2, data);
    if ([0x52, 0x53, 0x54, 0x56, 0x58].includes(ins)) return this.#packet(ins, p1, p2, data);
    if (ins === 0x55) return this.#signInput(p1, p2, data);
    if (ins === 0x57 || ins === 0x59) return this.#sign(ins === 0x57 ? 'orchard' : 'ironwood', p1, p2, data);
    throw new Status(0x6d00);
  }

  #viewingKey(p1: number, p2: number, data: Uint8Array): Uint8Array {
    check(p2 === 0, 0x6b00);
    if (p1 === 0) {
      const fields = new Packet(data);
      const [shielded, transparent] = [fields.path(), fields.path()];
      fields.end();
      const account = this.#accountOf(shielded);
      check(this.#accountOf(transparent, 44) === account);
      const { params, seed } = this.#options;
      // It has no Sapling.
      const { sapling: _, ...keys } = deriveViewingKeys(seed, params, account) as FullViewingKeys;
      const text = encodeUnifiedViewingKey(keys, params);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(text.length);
      this.#pending = Buffer.concat([length, Buffer.from(text)]);
    } else check(p1 === 0x80 && data.length === 0 && this.#pending.length > 0, 0x6b00);
    const piece = this.#pending.subarray(0, 255);
    this.#pending = this.#pending.subarray(255);
    return piece;
  }

  #accountOf(path: readonly number[], purpose = 32): number {
    const [first, coin, account = 0, ...more] = path.map((part) => part - HARDENED);
    check(first === purpose && coin === this.#options.params.coinType && account >= 0 && more.length === 0);
    return account;
  }

  #packet(ins: number, p1: number, p2: number, data: Uint8Array): Uint8Array {
    if (ins === 0x52) {
      check(p1 === 0, 0x6b00);
      this.#forget();
    }
    const last = this.#stream.at(-1);
    if (p1 === 0) {
      const order = [undefined, 0x52, 0x53, 0x54, 0x56, 0x58];
      check(order[order.indexOf(ins) - 1] === last?.ins);
      this.#stream.push({ ins, packets: [data], isLast: false });
    } else {
      check((p1 === 0x80 || p1 === 1) && last?.ins === ins && !last.isLast, 0x6b00);
      last.packets.push(data);
      last.isLast = p1 === 1;
    }
    check(p2 === 0 || (p2 === 1 && (ins === 0x56 || ins === 0x58)), 0x6b00);
    if (p2 === 1) this.#review();
    return Buffer.alloc(0);
  }

  #review(): void {
    const [header, inputs, outputs, ...bundles] = this.#stream.map(({ packets }) => packets.values());
    const global = new Packet(header!.next().value);
    check(Buffer.from(global.take(4)).toString() === 'PCZT');
    const pcztVersion = global.u32();
    const version = global.u32();
    const versionGroupId = global.u32();
    const consensusBranchId = global.u32();
    const lockTime = global.u8() === 1 ? global.u32() : 0;
    const expiryHeight = global.u32();
    check(global.u32() === this.#options.params.coinType);
    global.u8();
    global.end();
    check(version === 5 ? pcztVersion === 1 : version === 6 && pcztVersion === 2);
    check(versionGroupId === (version === 5 ? 0x26a7270a : 0xd884b698));
    check(bundles.length === version - 4);
    const spent = this.#spentOutputs(inputs!);
    const paid = outputsIn(outputs!);
    const [orchard, ironwood] = bundles.map((packets, at) =>
      this.#bundle(packets, at === 0 ? 'orchard' : 'ironwood'),
    );
    const effects = {
      version: version as 5 | 6,
      consensusBranchId,
      lockTime,
      expiryHeight: expiryHeight as TransactionEffects['expiryHeight'],
      inputs: spent.map((one) => one.effects),
      outputs: paid,
      orchard: orchard?.effects,
      ironwood: ironwood?.effects,
    };
    for (const packets of [header, inputs, outputs, ...bundles]) check(packets!.next().done === true);
    this.#actions = { orchard: orchard?.actions ?? [], ironwood: ironwood?.actions ?? [] };
    this.#inputs = spent;
    this.#effects = effects;
  }

  #spentOutputs(packets: Iterator<Uint8Array>): readonly Input[] {
    const count = new Packet(packets.next().value).compact();
    check(count <= 32);
    return Array.from({ length: count }, () => {
      const first = new Packet(packets.next().value);
      const [prevTxid, prevIndex] = [first.take(32), first.u32()];
      const sequence = first.u8() === 1 ? first.u32() : 0xffff_ffff;
      const value = first.u64();
      first.end();
      const scriptPubKey = longField(packets);
      const signing = new Packet(packets.next().value);
      check(signing.u8() === 1 && signing.compact() === 1);
      signing.take(33 + 32);
      const path = signing.path();
      signing.end();
      check(/^76a914[0-9a-f]{40}88ac$/.test(Buffer.from(scriptPubKey).toString('hex')));
      check(path.length === 5);
      this.#accountOf(path.slice(0, 3), 44);
      return { effects: { prevTxid, prevIndex, sequence, value, scriptPubKey }, path };
    });
  }

  #bundle(packets: Iterator<Uint8Array>, pool: Pool) {
    const count = new Packet(packets.next().value).compact();
    check(count <= 32);
    if (count === 0) return undefined;
    const actions = Array.from({ length: count }, () => this.#action(packets, pool));
    const trailer = new Packet(packets.next().value);
    const flags = trailer.u8();
    const magnitude = trailer.u64();
    const valueBalance = trailer.u8() === 1 ? -magnitude : magnitude;
    const anchor = trailer.take(32);
    trailer.end();
    return {
      actions,
      effects: { actions: actions.map(({ effects }) => effects), flags, valueBalance, anchor },
    };
  }

  #action(packets: Iterator<Uint8Array>, pool: Pool): Action {
    const spend = new Packet(packets.next().value);
    const [cv, nullifier, rk] = [spend.take(32), spend.take(32), spend.take(32)];
    const recipient = spend.take(43);
    const value = spend.u64();
    const [rho, rseed, alpha] = [spend.take(32), spend.take(32), spend.take(32)];
    spend.end();
    const derivation = new Packet(packets.next().value);
    derivation.take(32);
    const account = this.#accountOf(derivation.path());
    derivation.end();
    const output = new Packet(packets.next().value);
    const [cmx, ephemeralKey] = [output.take(32), output.take(32)];
    output.end();
    const [encCiphertext, outCiphertext] = [longField(packets), longField(packets)];
    check(encCiphertext.length === 580 && outCiphertext.length === 80);
    const metadata = new Packet(packets.next().value);
    const paid = { recipient: metadata.take(43), value: metadata.u64(), rseed: metadata.take(32) };
    const rcv = metadata.take(32);
    metadata.end();
    const { values } = cryptographyOf(pool);
    check(isEqual(values.commit(value - paid.value, rcv), cv));
    check(isEqual(noteOf(pool, { ...paid, rho: nullifier }).commitment, cmx));
    // Padding spends have the host's key.
    if (value > 0n) {
      const { seed, params } = this.#options;
      const nk = deriveViewingKeys(seed, params, account).orchard!.subarray(32, 64);
      check(isEqual(this.#keyFor(account, alpha).validating, rk));
      check(isEqual(noteOf(pool, { recipient, value, rho, rseed }).nullifier(nk, 0), nullifier));
    }
    const fields = { cv, nullifier, rk, cmx, ephemeralKey, encCiphertext, outCiphertext };
    return { effects: fields as Action['effects'], value, alpha, account };
  }

  #keyFor(account: number, alpha: Uint8Array) {
    const { spendAuth } = cryptographyOf('orchard');
    const { spendAuth: keys } = deriveSigningKeys(this.#options.seed, this.#options.params, account);
    const signing = spendAuth.randomizedSigningKey(keys.orchard.ask, alpha);
    return { spendAuth, signing, validating: spendAuth.validatingKey(signing) };
  }

  /** The first byte also says which half of the curve the nonce was in. */
  #signInput(p1: number, index: number, data: Uint8Array): Uint8Array {
    check(this.#effects !== undefined, NOT_READY);
    check(p1 === 0 && data.length === 0, 0x6700);
    const input = this.#inputs[index];
    check(input !== undefined && !this.#signed.has(`transparent${index}`));
    this.#signed.add(`transparent${index}`);
    const { secret } = deriveTransparentKeyPair(this.#options.seed, input.path);
    const signature = signInput(this.#effects, index, secret, seededBytes(index));
    signature[0]! |= index % 2;
    return signature;
  }

  #sign(pool: Pool, p1: number, index: number, data: Uint8Array): Uint8Array {
    check(this.#effects !== undefined, NOT_READY);
    check(p1 === 0 && data.length === 0, 0x6700);
    const action = this.#actions[pool]?.[index];
    // Each once, and none without a value.
    check(action !== undefined && action.value > 0n && !this.#signed.has(`${pool}${index}`));
    this.#signed.add(`${pool}${index}`);
    const { spendAuth, signing } = this.#keyFor(action.account, action.alpha);
    return spendAuth.sign(signing, shieldedSighash(this.#effects), this.#randomBytes);
  }
}

const isEqual = (one: Uint8Array, other: Uint8Array): boolean => Buffer.from(one).equals(other);

interface Described {
  readonly recipient: Uint8Array;
  readonly value: bigint;
  readonly rseed: Uint8Array;
  readonly rho: Uint8Array;
}

function noteOf(pool: Pool, { recipient, value, rseed, rho }: Described) {
  const scheme = NOTE_SCHEMES[pool];
  const gd = scheme.diversifyHash(recipient.subarray(0, 11));
  const pkd = scheme.decodeTransmissionKey(recipient.subarray(11, 43));
  check(gd !== undefined && pkd !== undefined);
  const leadByte = pool === 'orchard' ? 2 : 3;
  const plaintext = { leadByte, diversifier: recipient.subarray(0, 11), value, rseed };
  const note = scheme.createNote(plaintext, gd, pkd, rho);
  check(note !== undefined);
  return note;
}

function outputsIn(packets: Iterator<Uint8Array>): TransactionEffects['outputs'] {
  const count = new Packet(packets.next().value).compact();
  check(count <= 10);
  return Array.from({ length: count }, () => {
    const first = new Packet(packets.next().value);
    const value = first.u64();
    first.end();
    const scriptPubKey = longField(packets);
    check(new Packet(packets.next().value).compact() === 0);
    return { value, scriptPubKey };
  });
}

const word = (status: number): Buffer => Buffer.from([status >> 8, status & 0xff]);

function appAnswer(name: string): Buffer {
  const version = '3.9.2';
  return Buffer.concat([
    Buffer.from([1, name.length]),
    Buffer.from(name),
    Buffer.from([version.length]),
    Buffer.from(version),
    Buffer.from([1, 0]),
  ]);
}

export function reportsOf(message: Uint8Array): readonly Uint8Array[] {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  const all = Buffer.concat([length, message]);
  return Array.from({ length: Math.ceil(all.length / 59) }, (_, sequence) => {
    const report = Buffer.alloc(64);
    report.set([1, 1, 5, sequence >> 8, sequence & 0xff]);
    report.set(all.subarray(sequence * 59, sequence * 59 + 59), 5);
    return report;
  });
}
