import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { type OrchardBundle, orchardAction } from '../../src/zcash/encoding/orchardBundle.ts';
import { saplingOutput, saplingSpend } from '../../src/zcash/encoding/saplingBundle.ts';
import { parseTransaction } from '../../src/zcash/encoding/transaction.ts';
import { transactionContents } from '../../src/zcash/encoding/transactionContents.ts';
import { serializeTransaction } from '../../src/zcash/encoding/transactionEncoding.ts';
import { authDigest, txid } from '../../src/zcash/encoding/txid.ts';
import { readFixtureJson } from '../helpers/fixtures.ts';
import { readVectors } from '../helpers/readVectors.ts';

interface GeneratedCase {
  tx: string;
  txid: string;
  auth_digest: string;
  consensus_branch_id: number;
  lock_time: number;
  expiry_height: number;
  version: string;
  n_transparent_in: number;
  n_transparent_out: number;
  n_sapling_spends: number;
  n_sapling_outputs: number;
  n_orchard_actions: number;
  n_ironwood_actions: number;
  sapling_nullifiers: string[];
  sapling_cmus: string[];
  orchard_nullifiers?: string[];
  orchard_cmxs?: string[];
  ironwood_nullifiers?: string[];
  ironwood_cmxs?: string[];
  ironwood_epks?: string[];
  flags_ironwood?: number;
  anchor_ironwood?: string;
  value_balance_sapling: string;
  value_balance_orchard: string;
  value_balance_ironwood: string;
}

const actionFields = (bundle: OrchardBundle, field: 'nullifier' | 'cmx' | 'ephemeralKey'): string[] =>
  Array.from({ length: bundle.actions.count }, (_, i) => bytesToHex(orchardAction(bundle, i)[field]));

for (const name of ['tx_v4_generated', 'tx_v5_generated', 'tx_v6']) {
  const { cases } = readFixtureJson<{ cases: GeneratedCase[] }>('vectors', `${name}.json`);
  for (const [index, vector] of cases.entries()) {
    test(`${name} case ${index}: fields, txid, digest and serialization`, (t) => {
      const transaction = parseTransaction(hexToBytes(vector.tx));
      const { transparent, sapling, orchard, ironwood } = transaction;
      t.is(`V${transaction.version}`, vector.version);
      t.is(bytesToHex(txid(transaction)), vector.txid);
      if (transaction.version >= 5) {
        t.is(transaction.consensusBranchId, vector.consensus_branch_id);
        t.is(bytesToHex(authDigest(transaction)), vector.auth_digest);
      }
      t.is(transaction.lockTime, vector.lock_time);
      t.is(transaction.expiryHeight, vector.expiry_height);
      t.deepEqual(
        [
          transparent.inputCount,
          transparent.outputCount,
          sapling.spends.count,
          sapling.outputs.count,
          orchard.actions.count,
          ironwood.actions.count,
        ],
        [
          vector.n_transparent_in,
          vector.n_transparent_out,
          vector.n_sapling_spends,
          vector.n_sapling_outputs,
          vector.n_orchard_actions,
          vector.n_ironwood_actions,
        ],
      );
      t.deepEqual([sapling.valueBalance, orchard.valueBalance, ironwood.valueBalance].map(String), [
        vector.value_balance_sapling,
        vector.value_balance_orchard,
        vector.value_balance_ironwood,
      ]);
      t.deepEqual(
        Array.from({ length: sapling.spends.count }, (_, i) =>
          bytesToHex(saplingSpend(sapling, i).nullifier),
        ),
        vector.sapling_nullifiers,
      );
      t.deepEqual(
        Array.from({ length: sapling.outputs.count }, (_, i) => bytesToHex(saplingOutput(sapling, i).cmu)),
        vector.sapling_cmus,
      );
      t.deepEqual(actionFields(orchard, 'nullifier'), vector.orchard_nullifiers ?? []);
      t.deepEqual(actionFields(orchard, 'cmx'), vector.orchard_cmxs ?? []);
      t.deepEqual(actionFields(ironwood, 'nullifier'), vector.ironwood_nullifiers ?? []);
      t.deepEqual(actionFields(ironwood, 'cmx'), vector.ironwood_cmxs ?? []);
      if (vector.ironwood_epks) t.deepEqual(actionFields(ironwood, 'ephemeralKey'), vector.ironwood_epks);
      if (vector.flags_ironwood !== undefined) t.is(ironwood.flags, vector.flags_ironwood);
      if (vector.anchor_ironwood !== undefined) t.is(bytesToHex(ironwood.anchor), vector.anchor_ironwood);
      t.is(bytesToHex(serializeTransaction(transactionContents(transaction))), vector.tx);
    });
  }
}

interface PublishedCase {
  tx: string;
  txid?: string;
  auth_digest?: string;
}

for (const [name, version] of [
  ['zip_0143', 3],
  ['zip_0243', 4],
  ['zip_0244', 5],
] as const) {
  const vectors = readVectors<{ cases: PublishedCase[] }>(name);
  for (const [index, vector] of vectors.cases.entries()) {
    test(`${name} case ${index}`, (t) => {
      const transaction = parseTransaction(hexToBytes(vector.tx));
      t.is(transaction.version, version);
      if (vector.txid !== undefined) t.is(bytesToHex(txid(transaction)), vector.txid);
      if (vector.auth_digest !== undefined) t.is(bytesToHex(authDigest(transaction)), vector.auth_digest);
      if (version === 5) {
        t.is(bytesToHex(serializeTransaction(transactionContents(transaction))), vector.tx);
      }
    });
  }
}
