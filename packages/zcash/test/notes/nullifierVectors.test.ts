// Commitments and nullifiers of the notes that the key component vectors carry.

import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { tryDecodeJubjub } from '../../src/zcash/curves/jubjub.ts';
import { IRONWOOD, ORCHARD } from '../../src/zcash/notes/orchardScheme.ts';
import { SAPLING } from '../../src/zcash/notes/saplingScheme.ts';
import { readVectors } from '../helpers/readVectors.ts';

interface SaplingCase {
  nk: string;
  default_d: string;
  default_pk_d: string;
  note_v: string;
  note_r: string;
  note_cmu: string;
  note_pos: string;
  note_nf: string;
}

const sapling = readVectors<{ cases: SaplingCase[] }>('sapling_key_components');
for (const [index, vector] of sapling.cases.entries()) {
  test(`sapling_key_components case ${index}: commitment and nullifier of its note`, (t) => {
    const diversifier = hexToBytes(vector.default_d);
    const plaintext = {
      leadByte: 1,
      diversifier,
      value: BigInt(vector.note_v),
      rseed: hexToBytes(vector.note_r),
    };
    const gd = SAPLING.diversifyHash(diversifier)!;
    const pkd = tryDecodeJubjub(hexToBytes(vector.default_pk_d))!;
    const note = SAPLING.createNote(plaintext, gd, pkd, new Uint8Array(0))!;
    t.is(bytesToHex(note.commitment), vector.note_cmu);
    t.is(bytesToHex(note.nullifier(hexToBytes(vector.nk), Number(vector.note_pos))), vector.note_nf);
  });
}

interface OrchardCase {
  nk: string;
  default_d: string;
  default_pk_d: string;
  note_v: string;
  note_rho: string;
  note_rseed: string;
  note_cmx: string;
  note_qr_cmx?: string;
  note_nf: string;
}

for (const name of ['orchard_key_components', 'ironwood_key_components_qr']) {
  const vectors = readVectors<{ cases: OrchardCase[] }>(name);
  for (const [index, vector] of vectors.cases.entries()) {
    test(`${name} case ${index}: commitment and nullifier of its note`, (t) => {
      const diversifier = hexToBytes(vector.default_d);
      const rseed = hexToBytes(vector.note_rseed);
      const plaintext = { leadByte: 2, diversifier, value: BigInt(vector.note_v), rseed };
      const gd = ORCHARD.diversifyHash(diversifier)!;
      const pkd = ORCHARD.decodeTransmissionKey(hexToBytes(vector.default_pk_d))!;
      const rho = hexToBytes(vector.note_rho);
      const note = ORCHARD.createNote(plaintext, gd, pkd, rho)!;
      t.is(bytesToHex(note.commitment), vector.note_cmx);
      // note_nf belongs to the version 2 commitment in both files.
      t.is(bytesToHex(note.nullifier(hexToBytes(vector.nk), 0)), vector.note_nf);
      if (vector.note_qr_cmx === undefined) return;
      const ironwood = IRONWOOD.createNote({ ...plaintext, leadByte: 3 }, gd, pkd, rho)!;
      t.is(bytesToHex(ironwood.commitment), vector.note_qr_cmx);
    });
  }
}

test('a rho that is no field element makes no note', (t) => {
  const gd = ORCHARD.diversifyHash(new Uint8Array(11))!;
  const plaintext = { leadByte: 2, diversifier: new Uint8Array(11), value: 1n, rseed: new Uint8Array(32) };
  const order = hexToBytes('01000000ed302d991bf94c09fc984622000000000000000000000000000000' + '40');
  t.is(ORCHARD.createNote(plaintext, gd, gd, order), undefined);
  const below = Uint8Array.from(order);
  below[0] = 0;
  t.truthy(ORCHARD.createNote(plaintext, gd, gd, below));
});

test('an rcm that is no scalar makes no Sapling note', (t) => {
  const diversifier = new Uint8Array(11);
  let gd = SAPLING.diversifyHash(diversifier);
  while (gd === undefined) {
    diversifier[0]!++;
    gd = SAPLING.diversifyHash(diversifier);
  }
  const rseed = new Uint8Array(32).fill(0xff);
  const note = (leadByte: number) =>
    SAPLING.createNote({ leadByte, diversifier, value: 1n, rseed }, gd, gd, new Uint8Array(0));
  t.is(note(1), undefined);
  t.truthy(note(2));
});
