// The regtest genesis block, from its published constants. All networks share its one transaction.

import {
  asciiBytes,
  concatBytes,
  encodeCompactSize,
  hexToBytes,
  u32ToLeBytes,
} from '@wallet-companion/base/bytes';
import { serializeBlock } from '@wallet-companion/zcash/blocks';
import { asBlockHash, fromDisplayHex } from '@wallet-companion/zcash/identifiers';
import { doubleSha256, encodeTransparentBundle } from '@wallet-companion/zcash/transactions';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import { foreignBlock, MinedBlock } from './minedBlock.ts';

/** The time of regtest's genesis block; the blocks above are in the past too, as on a real node's regtest. */
export const REGTEST_GENESIS_TIME = 1_296_688_602;

export const REGTEST_BITS = 0x200f_0f0f;

/** The public key of Bitcoin's genesis output, which Zcash's copied. */
const GENESIS_PUBLIC_KEY =
  '04678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5f';

const pushed = (bytes: Uint8Array): Uint8Array => concatBytes(encodeCompactSize(bytes.length), bytes);

function genesisTransaction(): Uint8Array {
  const headline = asciiBytes('Zcash0b9c4eef8b7cc417ee5001e3500984b6fea35683a7cac141a043c42064835d34');
  const input = {
    prevTxid: new Uint8Array(32),
    prevIndex: 0xffff_ffff,
    scriptSig: concatBytes(hexToBytes('04ffff071f0104'), pushed(headline)),
    sequence: 0xffff_ffff,
  };
  const scriptPubKey = concatBytes(pushed(hexToBytes(GENESIS_PUBLIC_KEY)), Uint8Array.of(0xac));
  return concatBytes(
    u32ToLeBytes(1),
    encodeTransparentBundle([input], [{ value: 0n, scriptPubKey }]),
    u32ToLeBytes(0),
  );
}

/** The whole block; its hash is `genesisHash` of the regtest parameters. */
export function regtestGenesisBlock(): Uint8Array {
  const transaction = genesisTransaction();
  const header = {
    version: 4,
    prevHash: asBlockHash(new Uint8Array(32)),
    merkleRoot: doubleSha256(transaction),
    blockCommitments: new Uint8Array(32),
    time: REGTEST_GENESIS_TIME,
    bits: REGTEST_BITS,
    nonce: fromDisplayHex('09'.padStart(64, '0')),
    solution: hexToBytes('01936b7db1eb4ac39f151b8704642d0a8bda13ec547d54cd5e43ba142fc6d8877cab07b3'),
  };
  return serializeBlock(header, [transaction]);
}

export const regtestGenesis = (): MinedBlock =>
  new MinedBlock(
    foreignBlock(regtestGenesisBlock(), { height: 0, treeSizes: EMPTY_TREES, parent: undefined }),
  );
