import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex, FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { parseTransaction } from '../../src/zcash/encoding/transaction.ts';
import { everAllowedLeadBytes } from '../../src/zcash/notes/leadBytes.ts';
import { NOTE_SCHEMES } from '../../src/zcash/notes/noteSchemes.ts';
import { outgoingCipherKey, tryRecoverNoteWithOck } from '../../src/zcash/notes/recovery.ts';
import { parseReceipt, type Receipt, receiptText } from '../../src/zcash/payments/receipt.ts';
import {
  checkReceipt,
  isSignedBy,
  makeReceipts,
  signedBytes,
} from '../../src/zcash/payments/receiptCheck.ts';
import type { Pool } from '../../src/zcash/pools.ts';
import { readVectors } from '../helpers/readVectors.ts';
import { testEachCase } from '../helpers/vectors.ts';

type NoteCase = Readonly<Record<string, string | number>>;

for (const name of ['sapling', 'orchard', 'ironwood'] as const) {
  testEachCase<NoteCase>(`${name}_note_encryption`, 'the outgoing cipher key alone opens', (t, vector) => {
    // The file of Ironwood has notes of Orchard too.
    const pool = vector['note_version'] === 2 ? 'orchard' : name;
    const bytes = (...names: string[]): Uint8Array =>
      hexToBytes(String(names.map((name) => vector[name]).find((value) => value !== undefined) ?? ''));
    const output = {
      cv: bytes('cv', 'cv_net'),
      rho: bytes('rho'),
      commitment: bytes('cmu', 'cmx'),
      ephemeralKey: bytes('epk', 'ephemeral_key'),
      ciphertext: bytes('c_enc'),
      outCiphertext: bytes('c_out'),
    };
    const ock = outgoingCipherKey(NOTE_SCHEMES[pool], output, bytes('ovk'));
    if (vector['ock'] !== undefined) t.is(bytesToHex(ock), String(vector['ock']));
    const note = tryRecoverNoteWithOck(NOTE_SCHEMES[pool], output, ock, everAllowedLeadBytes(pool));
    t.is(note?.plaintext.value, BigInt(vector['v']!));
    t.is(note && bytesToHex(note.memo), String(vector['memo']));
    ock[31]! ^= 1;
    t.is(tryRecoverNoteWithOck(NOTE_SCHEMES[pool], output, ock, everAllowedLeadBytes(pool)), undefined);
  });
}

const keysOf = (...ovks: readonly Uint8Array[]) => ({
  incoming: [],
  outgoing: ovks.map((ovk) => ({ protocol: 'orchard', account: 0, scope: 'external', ovk }) as const),
});

/** Kept as they were first made: what was handed out once must stay readable. */
interface ReceiptCase {
  readonly pool: Pool;
  readonly transaction: string;
  readonly ovk: string;
  readonly receipt: string;
  readonly label: string;
  readonly recipient: string;
  readonly value: number;
  readonly memo: string;
}

testEachCase<ReceiptCase>('receipts', 'a kept receipt is made again and proves its output', (t, vector) => {
  const transaction = parseTransaction(hexToBytes(vector.transaction));
  const facts = { network: 'test', label: vector.label } as const;
  const stranger = new Uint8Array(32).fill(7);
  const made = makeReceipts(transaction, keysOf(stranger, hexToBytes(vector.ovk)), facts);
  t.deepEqual(
    made.map(({ receipt }) => receiptText(receipt)),
    [vector.receipt],
  );
  t.deepEqual(makeReceipts(transaction, keysOf(stranger), facts), []);
  const receipt = parseReceipt(vector.receipt);
  t.is(receipt.pool, vector.pool);
  const check = checkReceipt(receipt, transaction);
  if (check.kind !== 'valid') return t.fail(check.reason);
  t.false(check.isSigned);
  t.is(bytesToHex(check.note.recipient), vector.recipient);
  t.is(check.note.plaintext.value, BigInt(vector.value));
  t.is(bytesToHex(check.note.memo).replace(/(?:00)+$/, ''), vector.memo);
  return undefined;
});

const { cases } = readVectors<{ cases: ReceiptCase[] }>('receipts');
const [first, second] = cases as [ReceiptCase, ReceiptCase];
const transaction = parseTransaction(hexToBytes(first.transaction));
const receipt = parseReceipt(first.receipt);
const reasonOf = (changed: Partial<Receipt>, challenge?: Uint8Array): string => {
  const check = checkReceipt({ ...receipt, ...changed }, transaction, challenge);
  return check.kind === 'valid' ? 'valid' : check.reason;
};

test('each wrong receipt has its reason', (t) => {
  const flipped = receipt.ock.slice();
  flipped[0]! ^= 1;
  t.is(reasonOf({}), 'valid');
  t.is(reasonOf({ ock: flipped }), 'does_not_open');
  t.is(reasonOf({ outputIndex: 1 }), 'does_not_open');
  t.is(reasonOf({ outputIndex: 2 }), 'no_such_output');
  t.is(reasonOf({ pool: 'orchard' }), 'no_such_output');
  t.is(reasonOf({ txid: parseReceipt(second.receipt).txid }), 'other_transaction');
  t.is(reasonOf({ challenge: Uint8Array.of(1) }), 'other_challenge');
  t.is(reasonOf({}, Uint8Array.of(1)), 'other_challenge');
  t.is(reasonOf({ challenge: Uint8Array.of(1) }, Uint8Array.of(1)), 'valid');
});

// Made by another program (github.com/beautifulrem/zeceipt, docs/PROOF.md): its signature is over our bytes only if both write them alike.
const FOREIGN = {
  version: 'zeceipt-v0',
  network: 'main',
  pool: 'ironwood',
  txid: '4f3cc1aea0e589bd77865d33a2476963ff94909a3f1bdc8cb9bb380360e91b7f',
  output_index: 0,
  ock: '5no0Myq8ZSeC3kCG897G4Hys8ArmczAFID7sX3-n3QU',
  label: 'INV-2026-0142 | 3,797.00 USD @ 1518.81 | 2026-09-22',
  challenge: 'YXVkaXRvci1ub25jZS03',
  issuer_key_id: '2026-09',
  issuer_pubkey: '605d49591b716d9a9122fb99a827536c774a1f7d1aa3dd6d560416bd4f75b517',
  signature:
    '1ba8c66b1598a28595b92862783f24452d6cbfcc27145de7603bd2a750393cc2afef73c0ee30aca9dd183bbb01255144b56e4aabe6988897ee5468b98ed66e0a',
  later: 'ignored',
};

test('a signature is over all that a reader is shown', (t) => {
  const key = new Uint8Array(32).fill(3);
  const foreign = parseReceipt(JSON.stringify(FOREIGN));
  t.true(isSignedBy(foreign.signature!, signedBytes(foreign)));
  t.false(isSignedBy(foreign.signature!, signedBytes({ ...foreign, network: 'test' })));
  const publicKey = ed25519.getPublicKey(key);
  const signature = { publicKey, bytes: ed25519.sign(signedBytes(receipt), key) };
  const check = checkReceipt({ ...receipt, signature }, transaction);
  t.like(check, { kind: 'valid', isSigned: true });
  for (const changed of [{ label: 'other' }, { issuerKeyId: 'a@b.example' }, { network: 'main' }] as const)
    t.is(reasonOf({ signature, ...changed }), 'bad_signature');
});

test('line, link and JSON are the same receipt; what is cut or changed is no receipt', (t) => {
  const json = Buffer.from(first.receipt, 'base64url').toString();
  for (const text of [
    json,
    ` ${first.receipt}\n`,
    `https://shop.example/r#${first.receipt}`,
    `https://shop.example/r/${first.receipt}?x`,
  ])
    t.deepEqual(parseReceipt(text), receipt);
  const signed = JSON.parse(json);
  const broken = [
    '',
    first.receipt.slice(0, -9),
    `${first.receipt}&k=v`,
    json.slice(0, -1),
    ...[
      { version: 'zeceipt-v1' },
      { network: 'moon' },
      { pool: 'sprout' },
      { txid: '00' },
      { ock: signed.ock.slice(0, 40) },
      { output_index: -1 },
      { label: 7 },
      { signature: FOREIGN.signature },
    ].map((change) => JSON.stringify({ ...signed, ...change })),
    ' '.repeat(20_000),
  ];
  for (const text of broken)
    t.throws(() => parseReceipt(text), { instanceOf: FormatError }, text.slice(0, 80));
});
