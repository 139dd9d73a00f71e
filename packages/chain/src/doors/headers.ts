// Block headers that anybody may send: the chain of most work from a trusted start on.

export {
  DEEPEST_FORK,
  HeaderChain,
  type HeaderChainParts,
  type HeaderChainStart,
  type HeaderFault,
  type HeadersTaken,
} from '../chain/headers/headerChain.ts';
