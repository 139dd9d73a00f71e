// A process of its own with a chain that grows: an embedded node and compact server. Prints both addresses, as JSON, when
// it is ready. To a line "mine" it mines a block; to any other it answers how much processor time it has taken since then,
// in microseconds.
import { createInterface } from 'node:readline';
import { Devnet } from '@wallet-companion/devnet';
import { CompactServer, NodeServer } from '@wallet-companion/devnet/servers';
import { walletKeys, walletReceivers } from '../chains/benchWallet.ts';
import { paramsOf } from '../sync/preparedChain.ts';
import { BEFORE_IRONWOOD } from '../sync/shapes.ts';

const BLOCKS = 200;
const ZATOSHI = 10_000;

const params = paramsOf(BEFORE_IRONWOOD);
const devnet = new Devnet({ params, seed: 'bench answers' });
const address = walletReceivers(walletKeys(params));
/** As today: a payment between strangers. Every other block pays us, too. */
function mine(): void {
  const transactions = [devnet.traffic({ orchard: 2 })];
  if (devnet.tip.height % 2 === 0)
    transactions.push(devnet.pay([{ address, pool: 'orchard', zatoshi: ZATOSHI }]));
  devnet.mine({ transactions });
}
for (let i = 0; i < BLOCKS; i++) mine();
const node = await new NodeServer(devnet).listen();
const compact = await new CompactServer(devnet).listen();
console.log(JSON.stringify({ node, compact }));

let before = process.cpuUsage();
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'mine') {
    mine();
    before = process.cpuUsage();
    console.log('mined');
  } else {
    const { user, system } = process.cpuUsage(before);
    console.log(String(user + system));
  }
}
process.exit(0);
