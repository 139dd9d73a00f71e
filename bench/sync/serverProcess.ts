// A process of its own that serves a prepared chain as a node and as a compact server, so that the time of the one who
// reads can be told apart. Prints both addresses, as JSON, when it is ready.
import { CompactServer, NodeServer } from '@wallet-companion/devnet/servers';
import { readChain } from './preparedChain.ts';
import { viewOf } from './servedChain.ts';

const view = viewOf(readChain(process.argv[2]!));
const node = await new NodeServer(view).listen();
const compact = await new CompactServer(view).listen();
console.log(JSON.stringify({ node, compact }));
