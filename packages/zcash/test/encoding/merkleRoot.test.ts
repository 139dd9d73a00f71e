import { FormatError } from '@wallet-companion/base/bytes';
import test from 'ava';
import fc from 'fast-check';
import { parseBlock } from '../../src/zcash/encoding/block.ts';
import { checkMerkleRoot, merkleRoot } from '../../src/zcash/encoding/merkleRoot.ts';
import { txid } from '../../src/zcash/encoding/txid.ts';
import { asTxId, type TxId } from '../../src/zcash/identifiers.ts';
import { readRawBlocks } from '../helpers/fixtures.ts';

const id = (n: number): TxId => asTxId(new Uint8Array(32).fill(n));
const ids = (count: number): TxId[] => Array.from({ length: count }, (_, i) => id(i + 1));

test('the blocks of a real node have the roots of their headers', (t) => {
  const blocks = readRawBlocks('known-seed', 'zebra-recorded', 'raw-blocks.hex').map(parseBlock);
  t.true(blocks.length > 100);
  for (const [height, { header, transactions }] of blocks.entries()) {
    t.notThrows(() =>
      checkMerkleRoot(
        transactions.map((transaction) => txid(transaction)),
        header.merkleRoot,
        height,
      ),
    );
  }
});

test('another transaction, another order, one more or one less is refused, and the height is named', (t) => {
  for (let count = 2; count <= 9; count++) {
    const txids = ids(count);
    const root = merkleRoot(txids);
    t.notThrows(() => checkMerkleRoot(txids, root, 7));
    for (const other of [
      txids.with(count - 1, id(99)),
      txids.with(0, id(99)),
      [...txids].reverse(),
      txids.slice(1),
      txids.slice(0, -1),
      [...txids, id(99)],
    ]) {
      const error = t.throws(() => checkMerkleRoot(other, root, 4_711), { instanceOf: FormatError });
      t.regex(error?.message ?? '', /block 4711 /);
    }
  }
});

test('a list whose end stands twice has the same root, and is refused (CVE-2012-2459)', (t) => {
  for (const [count, twice] of [
    [3, 1],
    [5, 1],
    [6, 2],
    [7, 1],
    [10, 2],
    [12, 4],
  ] as const) {
    const txids = ids(count);
    const doubled = [...txids, ...txids.slice(-twice)];
    const root = merkleRoot(txids);
    t.deepEqual(merkleRoot(doubled), root, `${count} with ${twice} of them twice`);
    t.notThrows(() => checkMerkleRoot(txids, root, 1));
    t.throws(() => checkMerkleRoot(doubled, root, 1), { instanceOf: FormatError });
  }
});

test('no two lists pass under one root', (t) => {
  const list = fc.array(fc.integer({ min: 1, max: 3 }).map(id), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(list, list, (a, b) => {
      const root = merkleRoot(a);
      const passes = (txids: readonly TxId[]): boolean => {
        try {
          checkMerkleRoot(txids, root, 1);
          return true;
        } catch {
          return false;
        }
      };
      return JSON.stringify(a) === JSON.stringify(b) || !(passes(a) && passes(b));
    }),
  );
  t.pass();
});
