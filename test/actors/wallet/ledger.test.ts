import test from 'ava';
import fc from 'fast-check';
import { KEPT_BLOCKS, Ledger } from '../../../src/actors/wallet/ledger.ts';
import type { FoundNote, ScannedBlock, TxNullifiers } from '../../../src/shielded/scan/types.ts';
import { MemoryLedgerStore } from '../../helpers/memoryLedgerStore.ts';

const BIRTHDAY = 100;
const ACCOUNTS = [{ index: 0, birthdayHeight: BIRTHDAY }];

const bytes32 = (...numbers: number[]): Uint8Array => {
  const out = new Uint8Array(32);
  new DataView(out.buffer).setUint32(0, numbers[0] ?? 0);
  new DataView(out.buffer).setUint32(4, numbers[1] ?? 0);
  new DataView(out.buffer).setUint32(8, numbers[2] ?? 0);
  return out;
};

/** What one block of a made-up chain holds: values of notes made, and which earlier notes are spent. */
interface MadeBlock {
  readonly values: readonly number[];
  readonly spends: readonly { readonly height: number; readonly index: number }[];
}

function block(
  height: number,
  branch: number,
  made: MadeBlock,
  branchOf: (height: number) => number,
): ScannedBlock {
  const hash = bytes32(1, height, branch);
  const txid = bytes32(2, height, branch);
  const notes = made.values.map(
    (value, index): FoundNote => ({
      pool: 'orchard',
      account: 0,
      scope: 'external',
      value,
      height,
      txid,
      txIndex: 1,
      outputIndex: index,
      position: index,
      nullifier: bytes32(3 + index, height, branch),
      diversifier: new Uint8Array(11),
      diversifierIndex: 0n,
      memo: new Uint8Array(512),
    }),
  );
  const nullifiers: TxNullifiers[] = made.spends.map(({ height: at, index }, i) => ({
    pool: 'orchard',
    txIndex: 2 + i,
    txid: bytes32(1000 + i, height, branch),
    nullifiers: bytes32(3 + index, at, branchOf(at)),
  }));
  return {
    height,
    hash,
    prevHash: bytes32(1, height - 1, branchOf(height - 1)),
    time: height,
    treeSizes: { sapling: 0, orchard: 0, ironwood: 0 },
    outputCount: notes.length,
    notes,
    nullifiers,
  };
}

const LENGTH = 24;

/** A nullifier appears once on a valid chain. */
const unspent = (taken: Set<string>) => (spend: { height: number; index: number }) => {
  const key = `${spend.height}:${spend.index}`;
  return !taken.has(key) && taken.add(key) !== undefined;
};

const chain = fc
  .array(
    fc.record({
      values: fc.array(fc.nat(1000), { maxLength: 2 }),
      spends: fc.array(fc.tuple(fc.nat(LENGTH), fc.nat(1)), { maxLength: 2 }),
    }),
    { minLength: LENGTH, maxLength: LENGTH },
  )
  .map((blocks) => {
    const free = unspent(new Set());
    return blocks.map((made, i) => {
      // A block may spend what it or an earlier block made.
      const spends = made.spends
        .map(([back, index]) => ({ height: BIRTHDAY + Math.max(0, i - back), index }))
        .filter(free);
      return block(BIRTHDAY + i, 0, { values: made.values, spends }, () => 0);
    });
  });

const spendsOf = (scanned: ScannedBlock) =>
  scanned.nullifiers.map((n) => {
    const view = new DataView(n.nullifiers.buffer);
    return { height: view.getUint32(4), index: view.getUint32(0) - 3 };
  });

const shown = (ledger: Ledger) => ({
  notes: [...ledger.notes].sort((a, b) => a.height - b.height || a.outputIndex - b.outputIndex),
  transactions: [...ledger.transactions].map(({ txid, height }) => `${txid}@${height}`).sort(),
  last: ledger.lastScanHeight,
  missing: ledger.missing(),
});

const scanAll = (ledger: Ledger, blocks: readonly ScannedBlock[]) => ledger.apply(blocks);

test('ranges scanned in any order give what scanning in order gives, also across restarts', (t) => {
  fc.assert(
    fc.property(
      chain,
      fc.array(fc.tuple(fc.nat(LENGTH - 1), fc.nat(LENGTH)), { maxLength: 12 }),
      fc.array(fc.nat(LENGTH - 1), { maxLength: 3 }),
      (blocks, ranges, restarts) => {
        const straight = new Ledger(new MemoryLedgerStore(), ACCOUNTS, BIRTHDAY);
        scanAll(straight, blocks);

        const store = new MemoryLedgerStore();
        let ledger = new Ledger(store, ACCOUNTS, BIRTHDAY);
        ranges.forEach(([start, length], i) => {
          ledger.apply(blocks.slice(start, start + length));
          if (restarts.includes(i)) ledger = new Ledger(store, ACCOUNTS, BIRTHDAY);
        });
        for (const { start, end } of ledger.missing())
          ledger.apply(blocks.slice(start - BIRTHDAY, end + 1 - BIRTHDAY));
        ledger.apply(blocks.slice(ledger.lastScanHeight + 1 - BIRTHDAY));

        t.deepEqual(shown(ledger), shown(straight));
        t.deepEqual(ledger.missing(), []);
        t.is(store.keptNullifierCount, 0);
        t.deepEqual(shown(new Ledger(store, ACCOUNTS, BIRTHDAY)), shown(straight));
      },
    ),
    { numRuns: 300 },
  );
});

test('applying blocks twice changes nothing', (t) => {
  fc.assert(
    fc.property(chain, fc.nat(LENGTH - 1), fc.nat(LENGTH), (blocks, start, length) => {
      const ledger = new Ledger(new MemoryLedgerStore(), ACCOUNTS, BIRTHDAY);
      scanAll(ledger, blocks);
      const before = shown(ledger);
      const again = ledger.apply(blocks.slice(start, start + length));
      t.deepEqual(again, { received: [], spent: [] });
      t.deepEqual(shown(ledger), before);
    }),
    { numRuns: 100 },
  );
});

test('a rewind and the other branch give what that branch alone gives', (t) => {
  fc.assert(
    fc.property(chain, chain, fc.nat(LENGTH - 1), (main, other, fork) => {
      const branchOf = (height: number) => (height > BIRTHDAY + fork ? 1 : 0);
      const free = unspent(new Set());
      main
        .slice(0, fork + 1)
        .flatMap(spendsOf)
        .filter(free);
      const branch = other.slice(fork + 1).map((made, i) => {
        const height = BIRTHDAY + fork + 1 + i;
        const spends = spendsOf(made).filter(free);
        return block(height, 1, { values: made.notes.map((note) => note.value), spends }, branchOf);
      });
      const expected = new Ledger(new MemoryLedgerStore(), ACCOUNTS, BIRTHDAY);
      scanAll(expected, [...main.slice(0, fork + 1), ...branch]);

      const store = new MemoryLedgerStore();
      const ledger = new Ledger(store, ACCOUNTS, BIRTHDAY);
      scanAll(ledger, main);
      ledger.rewind(BIRTHDAY + fork);
      t.is(ledger.lastScanHeight, BIRTHDAY + fork);
      ledger.apply(branch);
      t.deepEqual(shown(ledger), shown(expected));
      t.deepEqual(shown(new Ledger(store, ACCOUNTS, BIRTHDAY)), shown(expected));
    }),
    { numRuns: 200 },
  );
});

test('an account added later has its own missing ranges until they are scanned', (t) => {
  const ledger = new Ledger(new MemoryLedgerStore(), ACCOUNTS, BIRTHDAY);
  const blocks = Array.from({ length: 10 }, (_, i) =>
    block(BIRTHDAY + i, 0, { values: [5], spends: [] }, () => 0),
  );
  ledger.apply(blocks);
  ledger.setAccounts([...ACCOUNTS, { index: 1, birthdayHeight: BIRTHDAY + 3 }]);
  t.deepEqual(ledger.missing(0), []);
  t.deepEqual(ledger.missing(1), [{ start: BIRTHDAY + 3, end: BIRTHDAY + 9 }]);
  t.deepEqual(ledger.missing(), [{ start: BIRTHDAY + 3, end: BIRTHDAY + 9 }]);
  ledger.apply(blocks.slice(3));
  t.deepEqual(ledger.missing(), []);
});

test('a note found below the birthday makes the blocks above it missing, since their nullifiers are gone', (t) => {
  const ledger = new Ledger(new MemoryLedgerStore(), ACCOUNTS, BIRTHDAY);
  const early = block(BIRTHDAY - 5, 0, { values: [7], spends: [] }, () => 0);
  const later = block(BIRTHDAY, 0, { values: [], spends: [{ height: BIRTHDAY - 5, index: 0 }] }, () => 0);
  ledger.apply([later]);
  ledger.apply([early]);
  t.deepEqual(ledger.missing(), [{ start: BIRTHDAY - 4, end: BIRTHDAY }]);
  ledger.apply([later]);
  t.is([...ledger.notes][0]?.spent?.height, BIRTHDAY);
});

test('an edited scan height scans again when lower and leaves a visible gap when higher', (t) => {
  const blocks = Array.from({ length: 10 }, (_, i) =>
    block(BIRTHDAY + i, 0, { values: [5], spends: [] }, () => 0),
  );
  const lower = new Ledger(new MemoryLedgerStore(), ACCOUNTS, BIRTHDAY);
  lower.apply(blocks);
  lower.adoptEditedScanHeight(BIRTHDAY + 4);
  t.is(lower.lastScanHeight, BIRTHDAY + 4);
  t.is([...lower.notes].length, 5);
  t.is(lower.exportedScanHeight, BIRTHDAY + 4);

  const higher = new Ledger(new MemoryLedgerStore(), ACCOUNTS, BIRTHDAY);
  higher.apply(blocks);
  higher.adoptEditedScanHeight(BIRTHDAY + 19);
  t.is(higher.lastScanHeight, BIRTHDAY + 19);
  t.deepEqual(higher.missing(), [{ start: BIRTHDAY + 10, end: BIRTHDAY + 19 }]);
});

test('a commit that fails leaves memory as the disk is', (t) => {
  const store = new MemoryLedgerStore();
  const ledger = new Ledger(store, ACCOUNTS, BIRTHDAY);
  ledger.apply([block(BIRTHDAY, 0, { values: [5], spends: [] }, () => 0)]);
  const before = shown(ledger);
  const commit = store.commit.bind(store);
  store.commit = () => {
    throw new Error('disk full');
  };
  t.throws(() =>
    ledger.apply([
      block(BIRTHDAY + 1, 0, { values: [6], spends: [{ height: BIRTHDAY, index: 0 }] }, () => 0),
    ]),
  );
  store.commit = commit;
  t.deepEqual(shown(ledger), before);
});

test('block hashes are kept for the deepest reorganisation a node makes, and no further', (t) => {
  const store = new MemoryLedgerStore();
  const ledger = new Ledger(store, ACCOUNTS, BIRTHDAY);
  const blocks = Array.from({ length: KEPT_BLOCKS + 50 }, (_, i) =>
    block(BIRTHDAY + i, 0, { values: [], spends: [] }, () => 0),
  );
  ledger.apply(blocks.slice(0, 700));
  ledger.apply(blocks.slice(700));
  const top = BIRTHDAY + blocks.length - 1;
  t.is(ledger.blockHeights.length, KEPT_BLOCKS);
  t.is(ledger.blockHeights.at(-1), top);
  t.is([...store.load()].flatMap(({ blocks = [] }) => blocks).length, KEPT_BLOCKS);
});
