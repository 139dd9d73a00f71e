import { concatBytes, FormatError } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import fc from 'fast-check';
import { parseBlock } from '../../src/zcash/encoding/block.ts';
import { summarizeRawBlock } from '../../src/zcash/encoding/blockSummary.ts';
import { encodeCompactBlock } from '../../src/zcash/encoding/compactBlock.ts';
import { compactFromBlock } from '../../src/zcash/encoding/compactFromBlock.ts';
import { parseTransaction } from '../../src/zcash/encoding/transaction.ts';
import { txid } from '../../src/zcash/encoding/txid.ts';
import { asNullifier, asTxId } from '../../src/zcash/identifiers.ts';
import { deriveViewingKeys, outgoingKeys } from '../../src/zcash/keys/account.ts';
import { transparentOutgoingKey } from '../../src/zcash/keys/transparentKeys.ts';
import { MAX_MONEY, networkParameters, type Scope } from '../../src/zcash/network.ts';
import { textMemo } from '../../src/zcash/notes/memo.ts';
import { makePlantedOutput } from '../../src/zcash/notes/plantedOutput.ts';
import type { TreeSizes } from '../../src/zcash/pools.ts';
import { POOL, POOLS, type Pool } from '../../src/zcash/pools.ts';
import { enhanceTransactions, type KnownNote } from '../../src/zcash/scan/enhanceTransactions.ts';
import { ReferenceDecryptor } from '../../src/zcash/scan/referenceDecryptor.ts';
import { scanBatch, scanBatchForAll } from '../../src/zcash/scan/scanBatch.ts';
import type {
  BlockBatch,
  FoundNote,
  ScanHeights,
  ScannedBlock,
  TrialDecryptor,
} from '../../src/zcash/scan/types.ts';
import {
  actionBundle,
  actionWith,
  blockWith,
  leadByteFor,
  type RandomBytes,
  saplingBundle,
  saplingOutputWith,
  seededBytes,
  testAccount,
  transactionWith,
} from '../helpers/noteMaker.ts';
import { poolSizes, scanHeights } from '../helpers/perPool.ts';
import { packBatch } from '../helpers/scanning.ts';
import { readAsReference } from '../helpers/serialEnhancement.ts';

const decryptor = new ReferenceDecryptor();
/** Far inside the ZIP 212 grace period, so that both Sapling lead bytes count. */
const HEIGHTS = scanHeights();
const START: TreeSizes = poolSizes({ sapling: 11, orchard: 22, ironwood: 33 });

interface Planned {
  readonly pool: Pool;
  /** `mine`: ours; the others must not be found. */
  readonly kind: 'mine' | 'other' | 'badKey' | 'badCommitment' | 'tooMuch' | 'badTag';
}

const plan = fc.array(
  fc.record({
    pool: fc.constantFrom<Pool>(...POOLS),
    kind: fc.constantFrom<Planned['kind']>('mine', 'other', 'badKey', 'badCommitment', 'tooMuch', 'badTag'),
  }),
  { maxLength: 6 },
);

const accounts = (random: RandomBytes) => ({
  sapling: testAccount('sapling', 0, random),
  orchard: testAccount('orchard', 0, random),
  foreignSapling: testAccount('sapling', 9, random),
  foreignOrchard: testAccount('orchard', 9, random),
});
type Accounts = ReturnType<typeof accounts>;

function makeTransaction(planned: readonly Planned[], owners: Accounts, random: RandomBytes): Uint8Array {
  const make = (wanted: Pool) =>
    planned
      .filter(({ pool }) => pool === wanted)
      .map(({ kind }) => {
        const protocol = wanted === 'sapling' ? 'sapling' : 'orchard';
        const foreign = wanted === 'sapling' ? owners.foreignSapling : owners.foreignOrchard;
        const options = {
          recipient: (kind === 'other' ? foreign : owners[protocol]).address(),
          value: kind === 'tooMuch' ? MAX_MONEY + 1n : 1000n,
          memo: textMemo('hello'),
          ovk: owners[protocol].outgoing.ovk,
        };
        const output =
          wanted === 'sapling' ? saplingOutputWith(options, random) : actionWith(wanted, options, random);
        if (kind === 'badKey') return { ...output, ephemeralKey: new Uint8Array(32).fill(0xff) };
        if (kind === 'badCommitment') return { ...output, cmu: random(32), cmx: random(32) };
        if (kind !== 'badTag') return output;
        const encCiphertext = Uint8Array.from(output.encCiphertext);
        encCiphertext[579]! ^= 1;
        return { ...output, encCiphertext };
      });
  return transactionWith(6, {
    sapling: saplingBundle([], make('sapling') as ReturnType<typeof saplingOutputWith>[]),
    orchard: actionBundle(make('orchard') as ReturnType<typeof actionWith>[]),
    ironwood: actionBundle(make('ironwood') as ReturnType<typeof actionWith>[]),
  });
}

/** Two blocks of one transaction each. */
function makeBlocks(seed: number, first: readonly Planned[], second: readonly Planned[]) {
  const random = seededBytes(seed);
  const owners = accounts(random);
  const one = blockWith(100, new Uint8Array(32), [makeTransaction(first, owners, random)]);
  const two = blockWith(101, summarizeRawBlock(one).hash, [makeTransaction(second, owners, random)]);
  const keys = [owners.orchard.incoming, owners.sapling.incoming];
  return { blocks: [one, two], keys, owners };
}

const toCompact = (block: Uint8Array): Uint8Array =>
  encodeCompactBlock(compactFromBlock(parseBlock(block), summarizeRawBlock(block).height, undefined));

const withoutMemos = (blocks: readonly ScannedBlock[]) =>
  blocks.map((block) => ({ ...block, notes: block.notes.map((note) => ({ ...note, memo: null })) }));

test('raw and compact blocks give the planned notes, at their positions, and no others', (t) => {
  fc.assert(
    fc.property(fc.nat(), plan, plan, (seed, first, second) => {
      const { blocks, keys } = makeBlocks(seed, first, second);
      const raw = scanBatch(packBatch('raw', blocks, START), keys, HEIGHTS, decryptor);
      const compact = scanBatch(packBatch('compact', blocks.map(toCompact), START), keys, HEIGHTS, decryptor);
      t.deepEqual(withoutMemos(raw), compact);

      const next = { ...START };
      for (const [i, planned] of [first, second].entries()) {
        const notes = raw[i]!.notes;
        const expected = POOLS.flatMap((pool) =>
          planned
            .filter((item) => item.pool === pool)
            .map((item, outputIndex) => ({ ...item, outputIndex, position: next[pool]++ }))
            .filter(({ kind }) => kind === 'mine' || kind === 'badTag'),
        );
        t.deepEqual(
          notes.map(({ pool, outputIndex, position }) => ({ pool, outputIndex, position })),
          expected.map(({ pool, outputIndex, position }) => ({ pool, outputIndex, position })),
        );
        for (const [k, note] of notes.entries()) {
          t.is(note.value, 1000);
          t.is(note.height, 100 + i);
          // A wrong tag loses the memo only, as in the compact form.
          t.deepEqual(note.memo, expected[k]!.kind === 'badTag' ? null : textMemo('hello'));
        }
        t.is(raw[i]!.outputCount, planned.length);
        t.deepEqual(raw[i]!.treeSizes, next);
      }
    }),
    { numRuns: runs(6, 25) },
  );
});

test('a pool that a key goes without is not searched with it, and nothing else of the result changes', (t) => {
  const here: Planned[] = POOLS.map((pool) => ({ pool, kind: 'mine' }));
  const { blocks, keys, owners } = makeBlocks(5, [...here, { pool: 'orchard', kind: 'other' }], here);
  const batch = packBatch('raw', blocks, START);
  const searched: (readonly [Pool, number])[] = [];
  const counting: TrialDecryptor = {
    decrypt: decryptor.decrypt.bind(decryptor),
    decryptAll: (all, used) => {
      for (const { pool } of all)
        searched.push([pool, used.filter(({ protocol }) => protocol === POOL[pool].protocol).length]);
      return decryptor.decryptAll(all, used);
    },
    encryptionKeys: decryptor.encryptionKeys.bind(decryptor),
    open: decryptor.open.bind(decryptor),
    recover: decryptor.recover.bind(decryptor),
  };
  const other = [owners.foreignOrchard.incoming, owners.foreignSapling.incoming];
  const all = scanBatchForAll(batch, [keys, other], HEIGHTS, decryptor);
  const less = keys.map((key) =>
    key.protocol === 'orchard' ? { ...key, without: ['orchard' as const] } : key,
  );
  const [mine, others] = scanBatchForAll(batch, [less, other], HEIGHTS, counting);
  const kept = all[0]!.map((block) => ({
    ...block,
    notes: block.notes.filter(({ pool }) => pool !== 'orchard'),
  }));
  t.deepEqual(mine, kept);
  t.deepEqual(others, all[1]);
  t.deepEqual(searched, [
    ['sapling', 2],
    ['ironwood', 2],
    ['orchard', 1],
  ]);
});

test('planted outputs are found after those of their blocks, in both forms, are no leaves, and change nothing else', (t) => {
  const here: Planned[] = POOLS.map((pool) => ({ pool, kind: 'mine' }));
  const { blocks, keys, owners } = makeBlocks(3, here, here);
  const random = seededBytes(4);
  const batches = [packBatch('raw', blocks, START), packBatch('compact', blocks.map(toCompact), START)];
  for (const batch of batches)
    for (const height of [100, 101]) {
      const planted = [...POOLS, ...POOLS].map((pool) => {
        const { ivk } = owners[POOL[pool].protocol].incoming;
        return { height, pool, bytes: makePlantedOutput(pool, leadByteFor(pool), ivk, random) };
      });
      const without = scanBatch(batch, keys, HEIGHTS, decryptor);
      const withThem = scanBatch({ ...batch, planted }, keys, HEIGHTS, decryptor);
      const isPlanted = ({ treeSizes }: ScannedBlock, { pool, position }: FoundNote) =>
        position >= treeSizes[pool];
      t.deepEqual(
        withThem.map((block) => ({
          ...block,
          notes: block.notes.filter((note) => !isPlanted(block, note)),
        })),
        without.map(({ leaves: _, ...block }) => block),
      );
      for (const block of withThem) {
        const found = block.notes.filter((note) => isPlanted(block, note));
        const positions = POOLS.flatMap((pool) => [0, 1].map((i) => [pool, block.treeSizes[pool] + i]));
        t.deepEqual(
          found.map(({ pool, position }) => [pool, position]).sort(),
          block.height === height ? positions.sort() : [],
        );
      }
    }
});

test('a planted output has the lead byte that is asked for', (t) => {
  const random = seededBytes(6);
  const owner = accounts(random);
  const { blocks } = makeBlocks(3, [], []);
  const batch = packBatch('raw', blocks, START);
  for (const leadByte of [1, 2]) {
    const bytes = makePlantedOutput('sapling', leadByte, owner.sapling.incoming.ivk, random);
    const found = (heights: ScanHeights) =>
      scanBatch(
        { ...batch, planted: [{ height: 100, pool: 'sapling', bytes }] },
        [owner.sapling.incoming],
        heights,
        decryptor,
      )[0]!.notes.length;
    t.is(found(HEIGHTS), 1);
    // Before Canopy only 1 is allowed.
    t.is(found(scanHeights({ canopy: 200 })), leadByte === 1 ? 1 : 0);
  }
});

test('results hold copies: nothing keeps the batch buffer alive or follows its changes', (t) => {
  const { blocks, keys } = makeBlocks(
    5,
    [{ pool: 'orchard', kind: 'mine' }],
    [{ pool: 'sapling', kind: 'mine' }],
  );
  const batch = packBatch('raw', blocks, START);
  const scanned = scanBatch(batch, keys, HEIGHTS, decryptor);
  const before = structuredClone(scanned);
  new Uint8Array(batch.buffer).fill(0);
  t.deepEqual(scanned, before);
  for (const { notes, nullifiers, hash, prevHash } of scanned) {
    for (const bytes of [
      hash,
      prevHash,
      ...nullifiers.flatMap((entry) => [entry.txid, entry.nullifiers]),
      ...notes.flatMap((note) => [note.txid, note.nullifier!, note.diversifier, note.memo!]),
    ]) {
      t.is(bytes.buffer.byteLength, bytes.length);
    }
  }
});

test('nullifiers of spends and actions are listed in order with their transaction', (t) => {
  const random = seededBytes(8);
  const owners = accounts(random);
  const options = { recipient: owners.orchard.address(), value: 1n, memo: textMemo(''), ovk: null };
  const spend = () => ({
    cv: random(32),
    anchor: new Uint8Array(32),
    nullifier: asNullifier(random(32)),
    rk: random(32),
    proof: new Uint8Array(192),
    spendAuthSig: new Uint8Array(64),
  });
  const spends = [spend(), spend()];
  const actions = [actionWith('orchard', options, random), actionWith('orchard', options, random)];
  const action = actionWith('ironwood', options, random);
  const block = blockWith(100, new Uint8Array(32), [
    transactionWith(4, { sapling: saplingBundle(spends, []) }),
    transactionWith(6, { orchard: actionBundle(actions), ironwood: actionBundle([action]) }),
  ]);
  const [scanned] = scanBatch(packBatch('raw', [block], START), [], HEIGHTS, decryptor);
  t.deepEqual(
    scanned!.nullifiers.map(({ pool, txIndex, nullifiers }) => ({ pool, txIndex, nullifiers })),
    [
      { pool: 'sapling', txIndex: 1, nullifiers: concatBytes(...spends.map((item) => item.nullifier)) },
      { pool: 'orchard', txIndex: 2, nullifiers: concatBytes(...actions.map((item) => item.nullifier)) },
      { pool: 'ironwood', txIndex: 2, nullifiers: action.nullifier },
    ],
  );
  t.deepEqual(scanned!.notes, []);
});

test('a wallet that cannot see spends gets notes without nullifiers', (t) => {
  const { blocks, keys } = makeBlocks(6, [{ pool: 'ironwood', kind: 'mine' }], []);
  const incomingOnly = keys.map(({ nk: _nk, ...key }) => key);
  const [scanned] = scanBatch(packBatch('raw', blocks, START), incomingOnly, HEIGHTS, decryptor);
  t.is(scanned!.notes[0]!.nullifier, null);
});

test('lead byte 1 stops counting when the grace period ends', (t) => {
  const random = seededBytes(7);
  const owners = accounts(random);
  const options = { recipient: owners.sapling.address(), value: 5n, memo: textMemo('old'), ovk: null };
  const outputs = ([1, 2] as const).map((saplingLeadByte) =>
    saplingOutputWith({ ...options, saplingLeadByte }, random),
  );
  const block = blockWith(100, new Uint8Array(32), [
    transactionWith(4, { sapling: saplingBundle([], outputs) }),
  ]);
  const found = (canopy: number): number[] =>
    scanBatch(
      packBatch('raw', [block], START),
      [owners.sapling.incoming],
      { ...HEIGHTS, canopy },
      decryptor,
    ).flatMap(({ notes }) => notes.map((note) => note.outputIndex));
  t.deepEqual(found(101), [0]);
  t.deepEqual(found(100), [0, 1]);
  t.deepEqual(found(100 - 32_255), [0, 1]);
  t.deepEqual(found(100 - 32_256), [1]);
});

test('full transactions give memos to the recipient and sent outputs to the sender', (t) => {
  const planned: Planned[] = POOLS.flatMap((pool) => [
    { pool, kind: 'other' },
    { pool, kind: 'mine' },
    { pool, kind: 'badTag' },
    { pool, kind: 'tooMuch' },
  ]);
  const { blocks, owners, keys } = makeBlocks(9, planned, []);
  const [one] = blocks;
  const transaction = parseBlock(one!).transactions[1]!;
  const [scanned] = scanBatch(packBatch('raw', blocks, START), keys, HEIGHTS, decryptor);
  const txid = scanned!.notes[0]!.txid;
  const completion = { incoming: keys, outgoing: [owners.sapling.outgoing, owners.orchard.outgoing] };
  const block = { kind: 'block', bytes: one!, height: 100 } as const;
  const full = readAsReference({ ...block, txids: [txid] }, completion, HEIGHTS, decryptor);
  t.is(full.length, 1);
  const { time, memos, sent, paid } = full[0]!;
  t.is(time, scanned!.time);
  t.deepEqual(
    memos,
    POOLS.map((pool) => ({
      pool,
      account: owners[pool === 'sapling' ? 'sapling' : 'orchard'].incoming.account,
      outputIndex: 1,
      memo: textMemo('hello'),
    })),
  );
  t.deepEqual(
    sent.map(({ pool, outputIndex, value, txIndex, height }) => ({
      pool,
      outputIndex,
      value,
      txIndex,
      height,
    })),
    POOLS.flatMap((pool) =>
      [0, 1].map((outputIndex) => ({ pool, outputIndex, value: 1000, txIndex: 1, height: 100 })),
    ),
  );
  const alone = { kind: 'transaction', bytes: transaction.bytes, height: 100 } as const;
  t.deepEqual(readAsReference({ ...alone, txids: [txid] }, completion, HEIGHTS, decryptor), [
    { txid, memos, sent: sent.map((output) => ({ ...output, txIndex: 0 })), paid: paid! },
  ]);
  const txids = [asTxId(new Uint8Array(32))];
  t.deepEqual(readAsReference({ ...block, txids }, completion, HEIGHTS, decryptor), []);
  t.deepEqual(readAsReference({ ...alone, txids }, completion, HEIGHTS, decryptor), []);
});

test('a note that a compact server made up gets no memo of another', (t) => {
  const { blocks, owners, keys } = makeBlocks(11, [{ pool: 'orchard', kind: 'mine' }], []);
  const [note] = scanBatch(packBatch('raw', blocks, START), keys, HEIGHTS, decryptor)[0]!.notes;
  const { pool, account, scope, outputIndex, value, txid } = note!;
  const known: KnownNote = { pool, account, scope, outputIndex, value };
  const memos = (reported: KnownNote, height = 100) => {
    const full = { kind: 'block', bytes: blocks[0]!, height, wanted: [{ txid, notes: [reported] }] } as const;
    const incoming = [...keys, { ...owners.foreignOrchard.incoming, account: 1 }];
    return enhanceTransactions([full], { incoming, outgoing: [] }, HEIGHTS, decryptor).transactions[0]!.memos;
  };
  t.is(memos(known).length, 1);
  t.deepEqual(memos({ ...known, value: value + 1 }), []);
  t.deepEqual(memos({ ...known, account: 1 }), []);
  t.deepEqual(memos({ ...known, scope: 'internal' }), []);
  t.deepEqual(memos({ ...known, outputIndex: 5 }), []);
  t.deepEqual(memos({ ...known, pool: 'ironwood' }), []);
  t.deepEqual(memos({ ...known, pool: 'sapling' }), []);
});

test('what the account paid from its transparent funds is recovered in every pool', (t) => {
  const random = seededBytes(12);
  const owners = accounts(random);
  const keys = deriveViewingKeys(random(32), networkParameters('main'), 3);
  const made = (pool: Pool, scope: Scope) => ({
    recipient: owners[pool === 'sapling' ? 'foreignSapling' : 'foreignOrchard'].address(),
    value: 1_000n,
    memo: textMemo(`${pool} ${scope}`),
    ovk: transparentOutgoingKey(keys.transparent, scope),
  });
  const scopes: readonly Scope[] = ['external', 'internal'];
  const bytes = transactionWith(6, {
    sapling: saplingBundle(
      [],
      scopes.map((scope) => saplingOutputWith(made('sapling', scope), random)),
    ),
    orchard: actionBundle(scopes.map((scope) => actionWith('orchard', made('orchard', scope), random))),
    ironwood: actionBundle(scopes.map((scope) => actionWith('ironwood', made('ironwood', scope), random))),
  });
  const id = txid(parseTransaction(bytes));
  const full = { kind: 'transaction', bytes, height: 100, wanted: [{ txid: id, notes: [] }] } as const;
  const outgoing = outgoingKeys(keys, 3);
  const { transactions } = enhanceTransactions([full], { incoming: [], outgoing }, HEIGHTS, decryptor);
  t.deepEqual(
    transactions[0]!.sent.map(({ account, scope, memo }) => [account, scope, memo]),
    POOLS.flatMap((pool) => scopes.map((scope) => [3, scope, textMemo(`${pool} ${scope}`)])),
  );
});

test('a malformed block fails its batch with a format error', (t) => {
  const { blocks, keys } = makeBlocks(10, [{ pool: 'orchard', kind: 'mine' }], []);
  const batch = packBatch('raw', blocks, START);
  const cut: BlockBatch = {
    ...batch,
    blocks: batch.blocks.map((ref) => ({ ...ref, length: ref.length - 1 })),
  };
  t.throws(() => scanBatch(cut, keys, HEIGHTS, decryptor), { instanceOf: FormatError });
  const full = packBatch('raw', blocks, { ...START, orchard: 2 ** 32 });
  t.throws(() => scanBatch(full, keys, HEIGHTS, decryptor), { instanceOf: FormatError });
});
