// The bridge to BTCPay: its calls answered from the companion's, and its callbacks made from the companion's events.

import type { After } from '@wallet-companion/base/async';
import type { Connection } from '@wallet-companion/client';
import { type Listening, listen } from '../../http/server/listen.ts';
import { MAX_INDEX } from '../btcpay/orders.ts';
import { bridgeApp } from './app.ts';
import { Callbacks } from './callbacks.ts';
import { Lookout } from './lookout.ts';
import { methodsOver } from './methods.ts';
import { OrderBook } from './orderBook.ts';

/** BTCPay keeps a few at most. */
const MAX_CONNECTIONS = 64;

export interface BridgeContext {
  readonly companion: Connection;
  /** 0 picks a free one. */
  readonly port: number;
  readonly token: string;
  /** BTCPay's address; undefined: it asks for itself. */
  readonly callback: string | undefined;
  readonly after: After;
  readonly requestId: () => string;
  /** A random number from 0 up to `limit`. */
  readonly random: (limit: number) => number;
  readonly report: (text: string) => void;
}

export interface Bridge {
  readonly listening: Listening;
  close(): Promise<void>;
}

/** Rejects where no companion answers, or the port is taken. */
export async function startBridge(context: BridgeContext): Promise<Bridge> {
  const { companion, after, report, callback, requestId, random, token, port } = context;
  const stop = new AbortController();
  const callbacks =
    callback === undefined ? undefined : new Callbacks({ base: callback, after, report, stop: stop.signal });
  const orders = new OrderBook({
    companion,
    bridge: requestId(),
    drawn: () => random(MAX_INDEX + 1),
    paid: (txid, account) => callbacks?.paid(txid, account),
  });
  const lookout = new Lookout({ companion, orders, callbacks, report });
  try {
    await heard(context, () => lookout.stir(), stop.signal);
    const app = bridgeApp({ token, methods: methodsOver(companion, orders), requestId, report });
    const limits = { host: '127.0.0.1', maxConnections: MAX_CONNECTIONS };
    const listening = await listen({ app, port, requestId, ...limits });
    lookout.stir();
    return {
      listening,
      close: async () => {
        stop.abort();
        await listening.close();
      },
    };
  } catch (error) {
    stop.abort();
    throw error;
  }
}

/** Resolves once events come, and goes on with them: after a loss as soon as the companion is back. */
function heard({ companion, report }: BridgeContext, stir: () => void, signal: AbortSignal): Promise<void> {
  let isOpen: boolean | undefined;
  return new Promise((resolve, reject) => {
    const events = companion.events({
      signal,
      onState: ({ kind }) => {
        if (kind === 'lost' && isOpen) report('The companion is gone; waiting for it to come back.');
        isOpen = kind === 'open';
        if (!isOpen) return;
        resolve();
        stir();
      },
    });
    const hear = async (): Promise<void> => {
      for await (const _ of events) stir();
    };
    hear().catch((error: unknown) => {
      reject(error);
      if (isOpen !== undefined && !signal.aborted)
        report('The companion refuses its events, so BTCPay is told nothing more. Start the bridge again.');
    });
  });
}
