// The network's own protocol: one peer, what it is asked, and headers that it shows.

export { type Followed, followHeaders } from '../chain/peers/followHeaders.ts';
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
