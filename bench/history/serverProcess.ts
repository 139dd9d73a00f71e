// A process of its own that serves a made-up history as a compact server: `serverProcess.js FRACTION`. Prints its
// address, as JSON, when it is ready. There is no node beside it: whoever asks for one gets no answer on that port.
import { CompactServer } from '@wallet-companion/devnet/servers';
import { historyView, MadeBlocks } from './madeBlocks.ts';
import { ownTransactions } from './ownTransactions.ts';
import { HistoryPlan } from './plan.ts';

const plan = new HistoryPlan(Number(process.argv[2]));
const blocks = new MadeBlocks(plan, ownTransactions(plan));
const compact = await new CompactServer(historyView(plan, blocks)).listen();
console.log(JSON.stringify({ node: 'http://127.0.0.1:9', compact }));
