// A process of its own that serves a long chain as a compact server: `longProcess.js NAME BLOCKS`. Prints its address,
// as JSON, when it is ready. There is no node beside it.
import { CompactServer } from '@wallet-companion/devnet/servers';
import { historyView, MadeBlocks } from '../history/madeBlocks.ts';
import { ownTransactions } from '../history/ownTransactions.ts';
import { type LongName, longPlan } from './longPlan.ts';

/** Different outputs of a pool: more than a scan holds at a time. */
const POOL_OUTPUTS = 20_000;

const plan = longPlan(process.argv[2] as LongName, Number(process.argv[3]));
const blocks = new MadeBlocks(plan, ownTransactions(plan), POOL_OUTPUTS);
const compact = await new CompactServer(historyView(plan, blocks)).listen();
console.log(JSON.stringify({ node: 'http://127.0.0.1:9', compact }));
