// A process of its own that serves a prepared chain as a node, as a compact server and as a peer, so that its time is measured
// apart from the reader's. Prints the addresses, as JSON, when it is ready.
import { CompactServer, NodeServer, PeerServer } from '@wallet-companion/devnet/servers';
import { readChain } from './preparedChain.ts';
import { viewOf } from './servedChain.ts';

const view = viewOf(readChain(process.argv[2]!));
const node = await new NodeServer(view).listen();
const compact = await new CompactServer(view).listen();
const peer = await new PeerServer(view).listen();
console.log(JSON.stringify({ node, compact, peer }));
