// Proof of work of block headers. Needs nothing of Node.

export {
  EQUIHASH_INPUT_BYTES,
  Equihash,
  type EquihashParameters,
  solutionBytes,
} from '../kernel/equihash/equihash.ts';
