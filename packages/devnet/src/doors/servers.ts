// The servers by themselves, over any chain, and the ways in which they misbehave.

export type { CompactFault, CompactMethod } from '../devnet/compactFault.ts';
export { type AnsweredCall, CompactServer } from '../devnet/compactServer.ts';
export { RpcError } from '../devnet/devnetError.ts';
export { nodeMethods } from '../devnet/nodeMethods.ts';
export { type NodeFault, NodeServer } from '../devnet/nodeServer.ts';
export type { Omission } from '../devnet/omission.ts';
export { type PeerFault, PeerServer, type PeerView } from '../devnet/peerServer.ts';
