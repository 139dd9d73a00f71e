// The second half of the start-up test: one known note per pool goes through decryption, verification and nullifier
// derivation. The notes and their nullifiers were made with the reference.
//
// The key agreement alone (selfTest.ts) would not notice binaries and driver of different builds, and a kernel that
// verifies wrongly would silently miss every note.

import { equalBytes, hexToBytes } from '@wallet-companion/base/bytes';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import { type PerPool, POOL, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import type { OutputColumns, TrialDecryptor } from '@wallet-companion/zcash/scan';
import { BuildDecryptor } from './buildDecryptor.ts';
import type { KernelModule } from './load/kernelModule.ts';

export interface KnownNote {
  readonly pool: Pool;
  readonly ivk: string;
  readonly nk: string;
  readonly ephemeralKey: string;
  readonly ciphertext: string;
  readonly commitment: string;
  readonly rho: string;
  readonly leadBytes: number;
  readonly nullifier: string;
}

const POSITION = 77;

const NOTES: PerPool<Omit<KnownNote, 'pool'>> = {
  sapling: {
    ivk: 'beda25488fae679512255ee88dd9dcc540cbf1584a3dfe7eac3e02c520857b00',
    nk: 'd4e3ae6257eafc50fcf9664d5121c4d9fd5fec880a5846bc8352b92b8630ba03',
    ephemeralKey: 'f9495229dd44a4782d5dbe1ccfa4394eefdf857b6101fb0b3e5e9288c0993a6b',
    ciphertext:
      'f91e60f4e08241d10cdbd9cf0a7499c9bf0490c7716cb0722c9a425c5c9d7cc910949bb67060886ad17bb8824bb4c2ce11634de1',
    commitment: '0366f5feffa721de608153c4428214dd4cd2db84be967c020ce5ef2b256e5e10',
    rho: '',
    leadBytes: 2,
    nullifier: 'c3bd35b794cd92fb97dc25dd23abf5ff7ae9a03b6b3e6b2f58aeee404fcd9e17',
  },
  orchard: {
    ivk: 'c1b795f8b9676a002652a3177ad8cf294fb864a90038ad55b1df938bfad13100',
    nk: '4baafa1e4c3005479774b1415fefbfad4840d9548e697e158b0140dcaafd9725',
    ephemeralKey: 'bbe78b6640e3849107557087e47145b5375e2c916118756be0e7c671a9a65a0e',
    ciphertext:
      '8a8924833398198ae4f0a734f5fac66a5e423b435c4edb734b59c8d1900f3e1bfbed1faf161227435f64705747f0b73444136a5a',
    commitment: '0bf7642e0a82099d4d427c46c63ed9a56c0c46d9b3d8e0445007b6f10c16a83e',
    rho: '487f5a723e9b9a91ff6292c328974cff0c611a04bf83bba873a116a0cba62506',
    leadBytes: 2,
    nullifier: '7f56f446a56abe1a366dcf59438e01dd968500495e8a82cda469124e650a8b15',
  },
  ironwood: {
    ivk: 'c1b795f8b9676a002652a3177ad8cf294fb864a90038ad55b1df938bfad13100',
    nk: '4baafa1e4c3005479774b1415fefbfad4840d9548e697e158b0140dcaafd9725',
    ephemeralKey: 'e8d0c7e608a0af0c578dfcece8e19996edfa00311e36951d2f4ec51f8b764b85',
    ciphertext:
      '0566cb590959e2ed59e2e16e44b68a295423e238cf406378cba9f4a5df5c99c4edfb751eef5c1041e6efd35fa154747388338a0a',
    commitment: 'ff605aff3fdc48c96839d904f54667e059272e04d6d01afc09a941fc95d8011c',
    rho: '9a8d261c2b338264d07ff6c167c79d2003778ea766ab929abe80068ea4e9db21',
    leadBytes: 4,
    nullifier: '053129e874f78d5985d0a7c78cf629cce025a7ad6a031ac7415b938d3e91c814',
  },
};

export const KNOWN_NOTES: readonly KnownNote[] = POOLS.map((pool) => ({ pool, ...NOTES[pool] }));

/** The note as the only row, and the key that opens it. */
export function knownNoteInput(known: KnownNote): { columns: OutputColumns; key: IncomingKey } {
  return {
    columns: {
      pool: known.pool,
      count: 1,
      ephemeralKeys: hexToBytes(known.ephemeralKey),
      ciphertexts: hexToBytes(known.ciphertext),
      commitments: hexToBytes(known.commitment),
      nullifiers: hexToBytes(known.rho),
      positions: Uint32Array.of(POSITION),
      leadBytes: Uint8Array.of(known.leadBytes),
    },
    key: {
      protocol: POOL[known.pool].protocol,
      account: 0,
      scope: 'external',
      ivk: hexToBytes(known.ivk),
      dk: new Uint8Array(32),
      nk: hexToBytes(known.nk),
    },
  };
}

/** The pool whose known note it misses or decrypts wrongly; undefined when there is none. */
export const missedNote = (decryptor: TrialDecryptor): Pool | undefined =>
  KNOWN_NOTES.find((known) => {
    const { columns, key } = knownNoteInput(known);
    const [found] = decryptor.decrypt(columns, [key]);
    return found?.nullifier == null || !equalBytes(found.nullifier, hexToBytes(known.nullifier));
  })?.pool;

/** What the build does wrongly with notes on this machine; undefined when nothing. */
export function findNoteFault(module: KernelModule): string | undefined {
  try {
    const missed = missedNote(new BuildDecryptor(module));
    return missed === undefined ? undefined : `it misses a known ${missed} note`;
  } catch (error) {
    return error instanceof Error ? error.message : 'it does not start';
  }
}
