// The connection between the pages and the companion: HTTP in a browser, the private scheme in the desktop window. The
// code above it knows only operations and events.

import {
  CompanionError,
  type CompanionEvent,
  type Connection,
  connect,
  type EventsMissed,
  type OperationName,
  type WalletOperation,
} from '@wallet-companion/client';
import { tryProblem } from '@wallet-companion/client/contract';
import { needsGrant } from '../../model/problems.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { token } from './token.ts';

/** After `events.missed` the state must be read again. */
export type PageEvent = CompanionEvent | EventsMissed;

/** Rejects with `CompanionError`. */
export type Call = Connection['call'];

export interface Transport {
  readonly call: Call;
  /** As `call`, of the default wallet. */
  readonly ofDefault: Call;
  /** Until the page is closed, or a grant is needed. `up`: events arrive, for the first time or again after a break. */
  listen(event: (event: PageEvent) => void, up: () => void, down: () => void): Promise<void>;
}

const RETRY_MS = 2_000;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, RETRY_MS));

/** They are not those of one wallet. */
const OF_COMPANION: Readonly<Record<Exclude<OperationName, WalletOperation>, true>> = {
  'config.block_source': true,
  'config.compact_server_url': true,
  'config.node_url': true,
  'config.theme': true,
  'doctor.run': true,
  'grants.create': true,
  'grants.list': true,
  'grants.log': true,
  'grants.narrow': true,
  'grants.open_page': true,
  'grants.page_code': true,
  'grants.revoke': true,
  'grants.rotate': true,
  'hooks.list': true,
  'lwd.chain_tip': true,
  'lwd.info': true,
  'lwd.prune': true,
  'lwd.servers': true,
  'lwd.sync_compact': true,
  'pairing.allow': true,
  'pairing.list': true,
  'pairing.refuse': true,
  'pairing.revoke': true,
  'pairing.request': true,
  'system.backup': true,
  'system.status': true,
  'system.version': true,
  'till.end': true,
  'till.get': true,
  'till.lock': true,
  'till.start': true,
  'till.unlock': true,
  'wallets.list': true,
  'wallets.rename': true,
};

/** From the companion's own origin. */
export function httpTransport(wallet: string | undefined): Transport {
  const options = { baseUrl: location.origin, token };
  const own = connect(options, wallet);
  const whole = connect(options);
  return {
    call: (name, ...input) => (name in OF_COMPANION ? whole : own).call(name, ...input),
    ofDefault: (name, ...input) => whole.call(name, ...input),
    async listen(event, up, down) {
      for (;;) {
        // After a break everything is read again, so no stream is resumed.
        const broken = new AbortController();
        const onState = ({ kind }: { kind: 'open' | 'lost' }) => (kind === 'open' ? up() : broken.abort());
        try {
          for await (const received of own.events({ signal: broken.signal, onState })) event(received);
        } catch (thrown) {
          down();
          if (needsGrant(thrown)) return;
        }
        await pause();
      }
    },
  };
}

type EventsAnswer = { next: string; events: readonly PageEvent[] };
type CallAnswer = { ok: true; value: unknown } | { ok: false; error: unknown; retry_after_seconds?: number };

const post = async (path: string, body: unknown): Promise<unknown> =>
  (await fetch(path, { method: 'POST', body: JSON.stringify(body) })).json();

const ended = (): never => {
  throw new CompanionError('COMPANION_UNREACHABLE', sharedTexts().noAnswer);
};

/** Calls are posted, and events come from a request that is answered when there are some. */
export function windowTransport(wallet: string | undefined): Transport {
  const own = wallet === undefined ? '' : `/${wallet}`;
  const callTo = (ofWallet: string): Call =>
    (async (name: string, input: unknown = {}) => {
      const path = `/invoke/${name}${name in OF_COMPANION ? '' : ofWallet}`;
      const answer = (await post(path, input).catch(ended)) as CallAnswer;
      if (answer.ok) return answer.value;
      throw tryProblem(answer.error, answer.retry_after_seconds) ?? ended();
    }) as Call;
  return {
    call: callTo(own),
    ofDefault: callTo(''),
    async listen(event, up, down) {
      for (let next = ''; ; ) {
        try {
          const answer = (await post(`/events${own}`, { after: next })) as EventsAnswer;
          if (next === '') up();
          next = answer.next;
          answer.events.forEach(event);
        } catch {
          down();
          next = '';
          await pause();
        }
      }
    },
  };
}
