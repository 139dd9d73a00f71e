// The transparent part of a v5 or v6 txid, and its pieces that signature hashes use too (ZIP 244, T.2 and S.2).

import { asciiBytes, u32ToLeBytes } from '@wallet-companion/base/bytes';
import { type Blake2b256, blake2b256 } from '../hashes/blake2.ts';
import { type TransparentBundle, type TransparentInput, transparentInputs } from './transparentBundle.ts';

/** Personalizations are exactly 16 ASCII bytes. */
const TRANSPARENT = asciiBytes('ZTxIdTranspaHash');
const PREVOUTS = asciiBytes('ZTxIdPrevoutHash');
const SEQUENCES = asciiBytes('ZTxIdSequencHash');
const OUTPUTS = asciiBytes('ZTxIdOutputsHash');

/** Most components of most transactions are empty, and hashing nothing with BLAKE2b takes microseconds each time. */
const emptyDigests = new Map<Uint8Array, Uint8Array>();

export function digestOfNothing(personalization: Uint8Array): Uint8Array {
  const known = emptyDigests.get(personalization);
  if (known !== undefined) return known;
  const digest = blake2b256(personalization, []);
  emptyDigests.set(personalization, digest);
  return digest;
}

export type Outpoint = Pick<TransparentInput, 'prevTxid' | 'prevIndex'>;

export const encodeOutpoint = ({ prevTxid, prevIndex }: Outpoint): Uint8Array[] => [
  prevTxid,
  u32ToLeBytes(prevIndex),
];

export const prevoutsDigest = (inputs: readonly Outpoint[], hash: Blake2b256): Uint8Array =>
  hash(PREVOUTS, inputs.flatMap(encodeOutpoint));

export const sequencesDigest = (
  inputs: readonly Pick<TransparentInput, 'sequence'>[],
  hash: Blake2b256,
): Uint8Array =>
  hash(
    SEQUENCES,
    inputs.map((input) => u32ToLeBytes(input.sequence)),
  );

/** The digest of the serialized outputs. */
export const outputsDigest = (outputs: Uint8Array, hash: Blake2b256): Uint8Array => hash(OUTPUTS, [outputs]);

export function transparentDigest(bundle: TransparentBundle, hash: Blake2b256): Uint8Array {
  if (bundle.inputCount + bundle.outputCount === 0) return digestOfNothing(TRANSPARENT);
  const inputs = transparentInputs(bundle);
  return combineTransparent(
    [prevoutsDigest(inputs, hash), sequencesDigest(inputs, hash), outputsDigest(bundle.outputBytes, hash)],
    hash,
  );
}

/** The digest of the pieces: those of the txid, or those of a signature hash. */
export const combineTransparent = (pieces: readonly Uint8Array[], hash: Blake2b256): Uint8Array =>
  hash(TRANSPARENT, pieces);
