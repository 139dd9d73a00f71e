// The network's own protocol: one peer and what it is asked, and several that show the chain of most work.

export { AddressBook, type AddressBookParts, networkOf, type PeerPlace } from '../chain/peers/addressBook.ts';
export { BlockPeers, type ServingPeer } from '../chain/peers/blockPeers.ts';
export { dialTcp, type Resolve } from '../chain/peers/dialling.ts';
export { type Followed, followHeaders } from '../chain/peers/followHeaders.ts';
export {
  type Frontier,
  type FrontierFile,
  frontierBelow,
  newestBelow,
  readFrontierFile,
} from '../chain/peers/frontiers.ts';
export {
  checkedBlock,
  type KnownBefore,
  type WantedBlock,
} from '../chain/peers/fullBlock.ts';
export { type HeaderPeer, HeaderPeers, type HeaderPeersParts } from '../chain/peers/headerPeers.ts';
export { KeptHeaders, type KeptHeadersParts } from '../chain/peers/keptHeaders.ts';
export {
  type Item,
  type ItemKind,
  MAGIC,
  MOST_HEADERS,
  type PeerAddress,
  PROTOCOL_VERSION,
  type ReceivedHeader,
  type Version,
} from '../chain/peers/messages.ts';
export {
  MOST_BLOCKS_ASKED,
  PeerConnection,
  PeerError,
  type PeerFault,
  type PeerOptions,
} from '../chain/peers/peerConnection.ts';
export {
  PeerNetwork,
  type PeerNetworkParts,
  type PeersState,
  type PeersView,
} from '../chain/peers/peerNetwork.ts';
export { PeerSource, type PeerSourceParts } from '../chain/peers/peerSource.ts';
export type { KnownTrees } from '../chain/peers/peerTrees.ts';
export type { FullBlock } from '../chain/source/fullBlockPacking.ts';
