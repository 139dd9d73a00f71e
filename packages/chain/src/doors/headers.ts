// Block headers that anybody may send: the chain of most work from a trusted start on, and its file.

export { type Checkpoint, chainStart, type KnownHash } from '../chain/headers/checkpoints.ts';
export {
  DEEPEST_FORK,
  HeaderChain,
  type HeaderChainParts,
  type HeaderChainStart,
  type HeaderFault,
  type HeadersTaken,
} from '../chain/headers/headerChain.ts';
export { HeaderFile, type KeptStart } from '../chain/headers/headerFile.ts';
