// A process of its own that serves a month that a wallet missed, with whole trees: `awayProcess.js BLOCKS CALLS`. Prints its
// address, as JSON, when it is ready, and writes a line of JSON into the file CALLS for each call.
import { appendFileSync } from 'node:fs';
import { CompactServer } from '@wallet-companion/devnet/servers';
import { wholeTrees } from '../chains/wholeTrees.ts';
import { historyView, MadeBlocks } from '../history/madeBlocks.ts';
import { orderedTransactions } from '../history/ownTransactions.ts';
import { awayPlan } from './awayPlan.ts';

/** Different outputs of a pool: more than a scan holds at a time. */
const POOL_OUTPUTS = 20_000;

const plan = awayPlan(Number(process.argv[2]));
const calls = process.argv[3]!;
const blocks = new MadeBlocks(plan.blocks, orderedTransactions(plan.blocks, plan.own), POOL_OUTPUTS);
const server = new CompactServer(historyView(plan.blocks, blocks, await wholeTrees(blocks)));
server.onCall((call) => appendFileSync(calls, `${JSON.stringify(call)}\n`));
console.log(JSON.stringify({ node: 'http://127.0.0.1:9', compact: await server.listen() }));
