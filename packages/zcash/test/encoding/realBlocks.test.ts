import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { parseBlock, serializeBlock } from '../../src/zcash/encoding/block.ts';
import { summarizeRawBlock } from '../../src/zcash/encoding/blockSummary.ts';
import { coinbaseHeight } from '../../src/zcash/encoding/coinbaseHeight.ts';
import { merkleRoot } from '../../src/zcash/encoding/merkleRoot.ts';
import { orchardAction } from '../../src/zcash/encoding/orchardBundle.ts';
import { saplingOutput, saplingSpend } from '../../src/zcash/encoding/saplingBundle.ts';
import { authDigest, txid } from '../../src/zcash/encoding/txid.ts';
import { toDisplayHex } from '../../src/zcash/identifiers.ts';
import { readVectors } from '../helpers/readVectors.ts';

interface TransactionSummary {
  index: number;
  version: number;
  txid: string;
  size: number;
  auth_digest: string;
  n_vin: number;
  n_vout: number;
  n_joinsplits: number;
  value_balance_sapling: string;
  value_balance_orchard: string;
  sapling_nullifiers: string[];
  sapling_outputs: { cmu: string; epk: string; ct52: string }[];
  orchard_actions: { nf: string; cmx: string; epk: string; ct52: string }[];
}

interface BlockCase {
  network: string;
  height: number;
  hash: string;
  prev_hash: string;
  time: number;
  header_bytes: number;
  n_tx: number;
  raw: string;
  tx: TransactionSummary[];
}

const vectors = readVectors<{ cases: BlockCase[] }>('real_blocks');

for (const vector of vectors.cases) {
  const title = `${vector.network} block ${vector.height}`;

  test(`${title}: header, txids, merkle root and shielded parts`, (t) => {
    const bytes = hexToBytes(vector.raw);
    const { header, transactions } = parseBlock(bytes);
    t.is(toDisplayHex(header.hash), vector.hash);
    t.is(toDisplayHex(header.prevHash), vector.prev_hash);
    t.is(header.time, vector.time);
    t.is(header.headerLength, vector.header_bytes);
    t.is(transactions.length, vector.n_tx);
    t.is(coinbaseHeight(transactions[0]!), vector.height);
    t.deepEqual(merkleRoot(transactions.map((transaction) => txid(transaction))), header.merkleRoot);
    for (const summary of vector.tx) {
      const transaction = transactions[summary.index]!;
      t.is(transaction.version, summary.version);
      t.is(bytesToHex(txid(transaction)), summary.txid);
      t.is(bytesToHex(authDigest(transaction)), summary.auth_digest);
      t.is(transaction.bytes.length, summary.size);
      t.is(transaction.transparent.inputCount, summary.n_vin);
      t.is(transaction.transparent.outputCount, summary.n_vout);
      t.is(transaction.sprout.joinSplits.count, summary.n_joinsplits);
      const { sapling, orchard } = transaction;
      t.is(sapling.valueBalance, BigInt(summary.value_balance_sapling));
      t.is(orchard.valueBalance, BigInt(summary.value_balance_orchard));
      t.deepEqual(
        Array.from({ length: sapling.spends.count }, (_, i) =>
          bytesToHex(saplingSpend(sapling, i).nullifier),
        ),
        summary.sapling_nullifiers,
      );
      t.deepEqual(
        Array.from({ length: sapling.outputs.count }, (_, i) => {
          const output = saplingOutput(sapling, i);
          return [output.cmu, output.ephemeralKey, output.encCiphertext.subarray(0, 52)].map(bytesToHex);
        }),
        summary.sapling_outputs.map((output) => [output.cmu, output.epk, output.ct52]),
      );
      t.deepEqual(
        Array.from({ length: orchard.actions.count }, (_, i) => {
          const action = orchardAction(orchard, i);
          const { nullifier, cmx, ephemeralKey, encCiphertext } = action;
          return [nullifier, cmx, ephemeralKey, encCiphertext.subarray(0, 52)].map(bytesToHex);
        }),
        summary.orchard_actions.map((action) => [action.nf, action.cmx, action.epk, action.ct52]),
      );
    }
  });

  test(`${title}: skimming agrees with parsing`, (t) => {
    const bytes = hexToBytes(vector.raw);
    const summary = summarizeRawBlock(bytes);
    t.is(toDisplayHex(summary.hash), vector.hash);
    t.is(toDisplayHex(summary.prevHash), vector.prev_hash);
    t.is(summary.height, vector.height);
    t.is(summary.time, vector.time);
    t.is(summary.txCount, vector.n_tx);
    t.deepEqual(summary.counts, {
      sapling: vector.tx.reduce((sum, summary) => sum + summary.sapling_outputs.length, 0),
      orchard: vector.tx.reduce((sum, summary) => sum + summary.orchard_actions.length, 0),
      ironwood: 0,
    });
  });

  test(`${title}: serializing the parts gives the block`, (t) => {
    const { header, transactions } = parseBlock(hexToBytes(vector.raw));
    const again = serializeBlock(
      header,
      transactions.map((transaction) => transaction.bytes),
    );
    t.is(bytesToHex(again), vector.raw);
  });
}
