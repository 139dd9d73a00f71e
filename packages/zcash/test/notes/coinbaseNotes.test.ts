// Shielded coinbase outputs must be readable by anyone (ZIP 213): the one test on notes that real miners made.

import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { parseBlock } from '../../src/zcash/encoding/block.ts';
import { coinbaseHeight } from '../../src/zcash/encoding/coinbaseHeight.ts';
import { saplingOutput } from '../../src/zcash/encoding/saplingBundle.ts';
import { MAIN, TEST } from '../../src/zcash/network.ts';
import { allowedLeadBytes } from '../../src/zcash/notes/leadBytes.ts';
import { COINBASE_OVK, type RecoveredNote, tryRecoverNote } from '../../src/zcash/notes/recovery.ts';
import { SAPLING } from '../../src/zcash/notes/saplingScheme.ts';
import { readVectors } from '../helpers/readVectors.ts';

interface BlockCase {
  network: 'main' | 'test';
  height: number;
  raw: string;
}

const NO_RHO = new Uint8Array(0);

function coinbaseNotes(bytes: Uint8Array, canopy: number, leadBytes?: number): (RecoveredNote | undefined)[] {
  const [coinbase] = parseBlock(bytes).transactions;
  const height = coinbaseHeight(coinbase!);
  return Array.from({ length: coinbase!.sapling.outputs.count }, (_, i) => {
    const { cv, cmu, ephemeralKey, encCiphertext, outCiphertext } = saplingOutput(coinbase!.sapling, i);
    return tryRecoverNote(
      SAPLING,
      { cv, commitment: cmu, ephemeralKey, ciphertext: encCiphertext, outCiphertext, rho: NO_RHO },
      COINBASE_OVK,
      leadBytes ?? allowedLeadBytes('sapling', height, { canopy }),
    );
  });
}

const vectors = readVectors<{ cases: BlockCase[] }>('real_blocks');

/** Lead byte of the plaintext by block. */
const SHIELDED_COINBASE: Record<string, number> = {
  'main 949496': 1,
  'main 982681': 1,
  'test 914678': 1,
  'test 1101629': 2,
};

for (const vector of vectors.cases) {
  const name = `${vector.network} ${vector.height}`;
  const leadByte = SHIELDED_COINBASE[name];
  if (leadByte === undefined) continue;
  const { canopy } = (vector.network === 'main' ? MAIN : TEST).activation;

  test(`${name}: the coinbase pays a Sapling note that anyone can read`, (t) => {
    const notes = coinbaseNotes(hexToBytes(vector.raw), canopy);
    t.is(notes.length, 1);
    t.is(notes[0]!.plaintext.leadByte, leadByte);
    t.true(notes[0]!.plaintext.value > 0n);
    t.is(bytesToHex(notes[0]!.recipient).length, 86);
  });

  test(`${name}: its other lead byte is refused`, (t) => {
    t.deepEqual(coinbaseNotes(hexToBytes(vector.raw), canopy, leadByte === 1 ? 0b110 : 0b101), [undefined]);
  });
}
