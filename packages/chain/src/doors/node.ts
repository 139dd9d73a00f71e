// Blocks, tree states, unmined transactions and sending over the JSON-RPC of a node.

export { openNodeSource } from '../chain/node/nodeSource.ts';
