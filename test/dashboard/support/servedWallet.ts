// The dashboard over HTTP before a wallet in this thread. What the main thread answers of the whole companion is made up.

import { readDashboard } from '@wallet-companion/dashboard';
import type { ExecutionContext } from 'ava';
import type { Link } from '../../../src/protocol/link.ts';
import { ok } from '../../../src/protocol/result.ts';
import { FakeLink } from '../../helpers/fakeLink.ts';
import { startHttpFront } from '../../helpers/httpFront.ts';

const OF_MAIN_THREAD: readonly string[] = ['wallets.list', 'system.status'];

/** The origin. */
export async function servedWallet(t: ExecutionContext, wallet: Link): Promise<string> {
  const mainThread = new FakeLink();
  mainThread.answerWith('wallets.list', () => ok({ wallets: [], most_open: 0 }));
  const behind: Link = {
    health: () => wallet.health(),
    subscribe: (listener, name) => wallet.subscribe(listener, name),
    dispatch: (name, ...call) =>
      (OF_MAIN_THREAD.includes(name) ? mainThread : wallet).dispatch(name, ...call),
  };
  const stopping = new AbortController();
  const front = await startHttpFront({ dashboard: readDashboard(), behind, stopping: stopping.signal });
  t.teardown(() => {
    stopping.abort();
    return front.close();
  });
  return front.url;
}
