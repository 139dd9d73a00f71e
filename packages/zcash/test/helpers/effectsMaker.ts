// Random effects of v5 and v6 transactions, well-formed and without any meaning, and every way to flip a bit of them with
// the digests that it must reach (by the names of plainDigests.ts).
import fc from 'fast-check';
import { asNullifier } from '../../src/zcash/identifiers.ts';
import { MAX_MONEY } from '../../src/zcash/network.ts';
import { ACTION_POOLS, POOL } from '../../src/zcash/pools.ts';
import type {
  ActionEffects,
  SaplingEffects,
  SpentOutput,
  TransactionEffects,
} from '../../src/zcash/transaction/effects.ts';

const bytes = (length: number): fc.Arbitrary<Uint8Array> =>
  fc
    .uint8Array({ minLength: 8, maxLength: 8 })
    .map((seed) => Uint8Array.from({ length }, (_, i) => (seed[i % 8]! * (i + 1) + (i >> 3)) & 0xff));
const b32 = bytes(32);
const u32 = fc.nat({ max: 0xffff_ffff });
const amount = fc.bigInt({ min: 0n, max: MAX_MONEY });
const signedAmount = fc.bigInt({ min: -MAX_MONEY, max: MAX_MONEY });
/** Lengths with one, three and five bytes of length before them. */
const scriptPubKey = fc.constantFrom(0, 1, 25, 252, 253, 70_000).chain(bytes);

const ciphertexts = { ephemeralKey: b32, encCiphertext: bytes(580), outCiphertext: bytes(80) };
const nullifier = b32.map(asNullifier);
const spend = fc.record({ cv: b32, nullifier, rk: b32 });
const output = fc.record({ cv: b32, cmu: b32, ...ciphertexts });
const action = fc.record({ cv: b32, nullifier, rk: b32, cmx: b32, ...ciphertexts });
const coin: fc.Arbitrary<SpentOutput> = fc.record({
  prevTxid: b32,
  prevIndex: fc.nat({ max: 0xffff_fffe }),
  sequence: u32,
  value: amount,
  scriptPubKey,
});

/** `full`: at least one of everything that the version carries. */
export function randomEffects({
  full = false,
  version,
}: {
  readonly full?: boolean;
  readonly version?: 5 | 6;
} = {}): fc.Arbitrary<TransactionEffects> {
  const some = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: full ? 1 : 0, maxLength: 3 });
  const sapling = fc
    .record({ spends: some(spend), outputs: some(output), valueBalance: signedAmount, anchor: b32 })
    .map(
      (found): SaplingEffects =>
        found.spends.length + found.outputs.length === 0 ? { ...found, valueBalance: 0n } : found,
    );
  const actions = (flags: number) =>
    fc
      .record({
        actions: some(action),
        flags: fc.nat({ max: 7 }).map((some) => some & flags),
        valueBalance: signedAmount,
        anchor: b32,
      })
      .map((found): ActionEffects => (found.actions.length === 0 ? { ...found, valueBalance: 0n } : found));
  const maybe = <T>(part: fc.Arbitrary<T>) => (full ? part : fc.option(part, { nil: undefined }));
  const common = {
    consensusBranchId: u32,
    lockTime: u32,
    expiryHeight: u32,
    inputs: some(coin),
    outputs: some(fc.record({ value: amount, scriptPubKey })),
    sapling: maybe(sapling),
    orchard: maybe(actions(POOL.orchard.actionFlags)),
  };
  const v5 = fc.record({ version: fc.constant(5 as const), ...common });
  const v6 = fc.record({
    version: fc.constant(6 as const),
    ...common,
    ironwood: maybe(actions(POOL.ironwood.actionFlags)),
  });
  return version === 5 ? v5 : version === 6 ? v6 : fc.oneof(v5, v6);
}

export interface Flip {
  readonly name: string;
  readonly changed: TransactionEffects;
  /** Names of digests. */
  readonly reaches: { readonly txid: readonly string[]; readonly sighash: readonly string[] };
}

function flipBytes(source: Uint8Array, seed: number, from = 0, to = source.length): Uint8Array {
  const copy = Uint8Array.from(source);
  copy[from + (seed % (to - from))]! ^= 1 << (seed % 8);
  return copy;
}

const both = (...nodes: string[]) => ({ txid: [...nodes, 'root'], sighash: [...nodes, 'root'] });

/** One changed field each; `effects` must have one of everything. */
export function flipsOf(effects: TransactionEffects, seed: number): Flip[] {
  const v6 = effects.version === 6;
  const flips: Flip[] = [];
  const add = (name: string, change: Partial<TransactionEffects>, reaches: Flip['reaches']): void => {
    flips.push({ name, changed: { ...effects, ...change }, reaches });
  };
  const bit = 2 ** (seed % 31);
  const flipNumber = (value: number): number => (value ^ bit) >>> 0;
  const flipAmount = (value: bigint): bigint => (value === MAX_MONEY ? value - 1n : value ^ 1n);

  // The branch is in the root's personalization as well, which is no node of its own.
  add('branch', { consensusBranchId: flipNumber(effects.consensusBranchId) }, both('header'));
  add('lock time', { lockTime: flipNumber(effects.lockTime) }, both('header'));
  add('expiry', { expiryHeight: flipNumber(effects.expiryHeight) }, both('header'));

  const at = <T>(items: readonly T[]) => seed % items.length;
  const replaced = <T>(items: readonly T[], change: (item: T) => Partial<T>): T[] =>
    items.map((item, i) => (i === at(items) ? { ...item, ...change(item) } : item));
  const input = (
    name: string,
    change: (found: SpentOutput) => Partial<SpentOutput>,
    reaches: Flip['reaches'],
  ) => add(name, { inputs: replaced(effects.inputs, change) }, reaches);
  input('previous txid', (i) => ({ prevTxid: flipBytes(i.prevTxid, seed) }), both('prevouts', 'transparent'));
  input('previous index', (i) => ({ prevIndex: (i.prevIndex ^ 1) >>> 0 }), both('prevouts', 'transparent'));
  input('sequence', (i) => ({ sequence: flipNumber(i.sequence) }), both('sequences', 'transparent'));
  // Neither is in the transaction: signatures alone commit to them.
  input('spent value', (i) => ({ value: flipAmount(i.value) }), {
    txid: [],
    sighash: ['amounts', 'transparent', 'root'],
  });
  input(
    'spent script',
    (i) => ({ scriptPubKey: Uint8Array.of(...i.scriptPubKey.subarray(0, 100), seed & 0xff) }),
    {
      txid: [],
      sighash: ['scripts', 'transparent', 'root'],
    },
  );
  const outputs = both('outputs', 'transparent');
  add('value', { outputs: replaced(effects.outputs, (o) => ({ value: flipAmount(o.value) })) }, outputs);
  add(
    'script',
    {
      outputs: replaced(effects.outputs, (o) => ({
        scriptPubKey: Uint8Array.of(...o.scriptPubKey.subarray(0, 100), seed & 0xff),
      })),
    },
    outputs,
  );

  const sapling = effects.sapling!;
  const saplingSpend = (field: 'cv' | 'nullifier' | 'rk', node: string): void => {
    const spends = replaced(sapling.spends, (s) => ({ [field]: asNullifier(flipBytes(s[field], seed)) }));
    add(
      `sapling spend ${field}`,
      { sapling: { ...sapling, spends } },
      both(node, 'sapling spends', 'sapling'),
    );
  };
  saplingSpend('nullifier', 'sapling spends compact');
  saplingSpend('cv', 'sapling spends noncompact');
  saplingSpend('rk', 'sapling spends noncompact');
  type OutputField = 'cv' | 'cmu' | 'ephemeralKey' | 'encCiphertext' | 'outCiphertext';
  const saplingOutput = (field: OutputField, node: string, from?: number, to?: number): void => {
    const outs = replaced(sapling.outputs, (o) => ({ [field]: flipBytes(o[field], seed, from, to) }));
    add(
      `sapling output ${field} ${from ?? ''}`,
      { sapling: { ...sapling, outputs: outs } },
      both(node, 'sapling outputs', 'sapling'),
    );
  };
  saplingOutput('cmu', 'sapling outputs compact');
  saplingOutput('ephemeralKey', 'sapling outputs compact');
  saplingOutput('encCiphertext', 'sapling outputs compact', 0, 52);
  saplingOutput('encCiphertext', 'sapling memos', 52, 564);
  saplingOutput('encCiphertext', 'sapling outputs noncompact', 564, 580);
  saplingOutput('outCiphertext', 'sapling outputs noncompact');
  saplingOutput('cv', 'sapling outputs noncompact');
  add(
    'sapling balance',
    { sapling: { ...sapling, valueBalance: flipAmount(sapling.valueBalance) } },
    both('sapling'),
  );
  const anchorReaches = (...nodes: string[]) => (v6 ? { txid: [], sighash: [] } : both(...nodes));
  add(
    'sapling anchor',
    { sapling: { ...sapling, anchor: flipBytes(sapling.anchor!, seed) } },
    anchorReaches('sapling spends noncompact', 'sapling spends', 'sapling'),
  );

  for (const pool of ACTION_POOLS) {
    const bundle = effects[pool];
    if (bundle === undefined) continue;
    const change = (name: string, changed: Partial<ActionEffects>, reaches: Flip['reaches']): void =>
      add(`${pool} ${name}`, { [pool]: { ...bundle, ...changed } }, reaches);
    type Field = 'cv' | 'nullifier' | 'rk' | 'cmx' | 'ephemeralKey' | 'encCiphertext' | 'outCiphertext';
    const actionField = (field: Field, node: string, from?: number, to?: number): void =>
      change(
        `${field} ${from ?? ''}`,
        { actions: replaced(bundle.actions, (a) => ({ [field]: flipBytes(a[field], seed, from, to) })) },
        both(`${pool} ${node}`, pool),
      );
    actionField('nullifier', 'compact');
    actionField('cmx', 'compact');
    actionField('ephemeralKey', 'compact');
    actionField('encCiphertext', 'compact', 0, 52);
    actionField('encCiphertext', 'memos', 52, 564);
    actionField('encCiphertext', 'noncompact', 564, 580);
    actionField('cv', 'noncompact');
    actionField('rk', 'noncompact');
    actionField('outCiphertext', 'noncompact');
    change('flags', { flags: bundle.flags ^ 1 }, both(pool));
    change('balance', { valueBalance: flipAmount(bundle.valueBalance) }, both(pool));
    change('anchor', { anchor: flipBytes(bundle.anchor!, seed) }, anchorReaches(pool));
  }
  return flips;
}
