import { bytesToHex } from '@wallet-companion/base/bytes';
import { POOLS, type Pool } from '@wallet-companion/zcash/pools';
import { noteCommitments } from '@wallet-companion/zcash/scan';
import { decodeCompactBlock } from '@wallet-companion/zcash/test/compactDecoder';
import { packBatch } from '@wallet-companion/zcash/test/scanning';
import test from 'ava';
import { readKnownChains } from '../../helpers/knownChains.ts';

const ALL = { start: 0, end: 2 ** 32 };

/** As the schema's own decoder reads them. */
function leavesIn(compact: readonly Uint8Array[], pool: Pool): string[] {
  return compact.flatMap((bytes) =>
    decodeCompactBlock(bytes).transactions.flatMap(({ outputs, actions }) =>
      (pool === 'sapling' ? outputs.map(({ cmu }) => cmu) : actions[pool].map(({ cmx }) => cmx)).map(
        bytesToHex,
      ),
    ),
  );
}

/** As the schema's own decoder reads them. */
function outputsIn(compact: readonly Uint8Array[], pool: Pool) {
  return compact.flatMap((bytes) =>
    decodeCompactBlock(bytes).transactions.flatMap(({ outputs, actions }) =>
      pool === 'sapling'
        ? outputs.map(({ cmu, ephemeralKey, ciphertext }) => [
            new Uint8Array(0),
            cmu,
            ephemeralKey,
            ciphertext,
          ])
        : actions[pool].map(({ nullifier, cmx, ephemeralKey, ciphertext }) => [
            nullifier,
            cmx,
            ephemeralKey,
            ciphertext,
          ]),
    ),
  );
}

const split = (leaves: ArrayBuffer): string[] => bytesToHex(new Uint8Array(leaves)).match(/.{64}/g) ?? [];

for (const { name, main, treesBefore } of readKnownChains()) {
  for (const pool of POOLS) {
    test(`${name}, ${pool}: the same leaves from full and compact blocks, whole or a part`, (t) => {
      const expected = leavesIn(main.compact, pool);
      const before = treesBefore[pool];
      for (const format of ['raw', 'compact'] as const) {
        const batch = packBatch(format, main[format], treesBefore);
        const all = noteCommitments(batch, pool, ALL);
        t.is(all.first, before);
        t.deepEqual(split(all.leaves), expected);
        const cut = { start: before + 2, end: before + 5 };
        t.deepEqual(split(noteCommitments(batch, pool, cut).leaves), expected.slice(2, 5));
        t.deepEqual(split(noteCommitments(batch, pool, { start: 0, end: before }).leaves), []);
      }
    });

    test(`${name}, ${pool}: the outputs of some leaves, the same from both`, (t) => {
      const expected = outputsIn(main.compact, pool);
      const before = treesBefore[pool];
      const last = before + expected.length - 1;
      for (const format of ['raw', 'compact'] as const) {
        const batch = packBatch(format, main[format], treesBefore);
        const { outputs } = noteCommitments(batch, pool, { ...ALL, outputsAt: [before + 1, last, last + 1] });
        t.deepEqual(
          outputs.map(({ position, rho, commitment, ephemeralKey, ciphertext }) => [
            position,
            ...[rho, commitment, ephemeralKey, ciphertext].map(bytesToHex),
          ]),
          [1, expected.length - 1].map((i) => [before + i, ...expected[i]!.map(bytesToHex)]),
        );
        // Nothing of the block goes along with them.
        for (const { ciphertext } of outputs) t.is(ciphertext.buffer.byteLength, 52);
        t.deepEqual(noteCommitments(batch, pool, { ...ALL, end: last, outputsAt: [last] }).outputs, []);
      }
    });
  }
}
