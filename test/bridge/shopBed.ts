// A shop with BTCPay beside a devnet: a real wallet that follows the chain, its HTTP front, the bridge and BTCPay's end of
// the callbacks. Two clocks: the wallet's, and that of the bridge's retries.

import { randomUUID } from 'node:crypto';
import { connect } from '@wallet-companion/client';
import type { ExecutionContext } from 'ava';
import { FOLLOW_POLL_MS } from '../../src/actors/wallet/follow/follower.ts';
import { type Bridge, startBridge } from '../../src/bridge/server/bridge.ts';
import { STATUS_LIMIT_MS } from '../../src/http/calls/statusFailure.ts';
import { startHttpFront } from '../helpers/httpFront.ts';
import { startMempoolBed } from '../helpers/mempoolBed.ts';
import { VirtualClock } from '../helpers/virtualClock.ts';
import { Plugin } from './plugin.ts';
import { txidOf } from './pluginBed.ts';

const TOKEN = 'a'.repeat(43);

type Pool = 'sapling' | 'orchard' | 'ironwood';

export async function startShopBed(t: ExecutionContext) {
  const bed = await startMempoolBed(t, { minesNow: true });
  const { devnet, wallet } = bed;
  const front = await startHttpFront({ behind: wallet.link });
  t.teardown(() => front.close());
  const btcpay = new Plugin();
  const callback = await btcpay.listen(t);
  const retries = new VirtualClock();
  const reported: string[] = [];
  const begin = async (): Promise<Bridge> => {
    let drawn = 0;
    const bridge = await startBridge({
      companion: connect({ baseUrl: front.url }),
      port: 0,
      token: TOKEN,
      callback,
      // A request is never late, however slow the machine is.
      after: (ms, strike) => (ms === STATUS_LIMIT_MS ? () => undefined : retries.after(ms, strike)),
      requestId: randomUUID,
      random: () => drawn++,
      report: (text) => void reported.push(text),
    });
    t.teardown(() => bridge.close());
    return bridge;
  };
  const shopAt = ({ listening }: Bridge) => new Plugin({ base: `${listening.url}/${TOKEN}/` });
  const look = () => bed.pass(FOLLOW_POLL_MS);
  const height = async () => (await wallet.call('sync.status')).last_scan_height;
  return {
    ...bed,
    front,
    btcpay,
    reported,
    begin,
    shopAt,
    follow: async () => {
      await wallet.call('follow.set', { enabled: true, source: 'node' });
      await bed.pass(0);
      await bed.until(async () => (await height()) === devnet.tip.height);
    },
    /** The pause before the next try is over. */
    nextTry: async () => {
      await bed.until(() => retries.timers === 1);
      retries.advance(60_000);
    },
    /** Follow mode looks at the chain and the mempool. */
    look,
    payment: (...to: (readonly [string, number, Pool?, string?])[]) => {
      const notes = to.map(([address, zatoshi, pool = 'ironwood', memo = '']) => {
        return { address, pool, zatoshi: BigInt(zatoshi), memo };
      });
      const transaction = devnet.pay(notes);
      return { transaction, reported: `tx ${txidOf(transaction)}` };
    },
    /** Blocks that the wallet has scanned afterwards. */
    mine: async (...blocks: ReturnType<typeof devnet.pay>[][]) => {
      for (const transactions of blocks) devnet.mine({ transactions });
      await look();
      await bed.until(async () => (await height()) === devnet.tip.height);
    },
    /** BTCPay was told so, as the last of all. */
    lastTold: (what: string) => bed.until(() => btcpay.reported.at(-1) === what),
  };
}
