// GET /readyz: whether the companion is ready in the mode that the caller names. Each mode checks something that the
// modes before it do not; each refusal lists its reasons.

import type { Context } from 'koa';
import { badField, CompanionError, type FieldError } from '../protocol/errors.ts';
import { READY_MODES, type ReadyMode } from '../protocol/httpOnly.ts';
import type { Dispatcher, HealthSource } from '../protocol/link.ts';
import { SERVERS, type ServerName } from '../protocol/operations/status.ts';
import type { Output } from '../protocol/operations.ts';
import { unwrap } from '../protocol/result.ts';
import type { Sender } from './routes.ts';

/** The source reports a block before the wallet can have scanned it; two blocks in a row are common. */
const SYNCED_WITHIN_BLOCKS = 2;

export interface Known {
  readonly wallet: Output<'wallet.status'>;
  readonly sync: Pick<Output<'sync.status'>, 'complete' | 'last_scan_height'>;
  readonly servers: Output<'system.status'>;
}

type AskingLink = Dispatcher & HealthSource;

/** Answers 503 with the reasons while the companion is not ready in the mode of `?mode=`. */
export const answerReadiness =
  (link: AskingLink) =>
  async (context: Context, { wallet: named }: Sender): Promise<void> => {
    const mode = wantedMode(context.query['mode']);
    const wallet = named === undefined ? undefined : { wallet: named };
    const requestId = String(context.state['requestId']);
    await requireThreads(link);
    if (mode === undefined || mode === 'alive') {
      unwrap(await link.dispatch('system.version', {}, { requestId }));
    } else {
      const [status, sync, servers] = await Promise.all([
        link.dispatch('wallet.status', {}, { requestId, ...wallet }),
        link.dispatch('sync.status', {}, { requestId, ...wallet }),
        // Whether the wallet is open is known without a request to a server.
        link.dispatch('system.status', { known: mode === 'unlocked' }, { requestId }),
      ]);
      const known = { wallet: unwrap(status), sync: unwrap(sync), servers: unwrap(servers) };
      refuse(reasonsAgainst(mode, wallet === undefined ? known : ofOther(known)));
    }
    context.set('cache-control', 'no-store');
    context.body = { status: 'ready', ...(mode === undefined ? {} : { mode }) };
  };

/** The servers are compared with the default wallet's height; another wallet has its own height. */
const ofOther = ({ wallet, sync, servers }: Known): Known => ({
  wallet,
  sync,
  servers: { ...servers, last_scan_height: sync.last_scan_height },
});

function wantedMode(given: string | string[] | undefined): ReadyMode | undefined {
  const mode = READY_MODES.find((known) => known === given);
  if (given === undefined || mode !== undefined) return mode;
  const message = `must be one of ${READY_MODES.join(', ')}`;
  throw badField('mode', message);
}

async function requireThreads(link: HealthSource): Promise<void> {
  const report = await link.health();
  const down = (['wallet', 'chain'] as const).filter((thread) => report[thread] === 'down');
  if (down.length === 0) return;
  throw new CompanionError(
    'THREAD_LOST',
    `Being restarted: the ${down.join(' and the ')} thread. Try again.`,
  );
}

function refuse(reasons: readonly FieldError[]): void {
  if (reasons.length === 0) return;
  const sentences = reasons.map(({ path, message }) => `${path.replace('_', ' ')} ${message}`);
  throw new CompanionError('NOT_READY', `Not ready: ${sentences.join('; ')}.`, { errors: reasons });
}

/** Empty when the companion is ready. The threads are assumed to be up. */
export function reasonsAgainst(mode: ReadyMode, { wallet, sync, servers }: Known): FieldError[] {
  switch (mode) {
    case 'alive':
      return [];
    case 'unlocked':
      if (!wallet.exists) return [NO_WALLET];
      return wallet.unlocked ? [] : [{ path: 'wallet', message: 'is locked' }];
    case 'connected':
      return isConnected(servers) ? [] : SERVERS.map((name) => whyNotUp(name, servers));
    case 'synced': {
      const reasons = wallet.exists ? [] : [NO_WALLET];
      reasons.push(...reasonsAgainst('connected', { wallet, sync, servers }));
      const left = blocksLeft(servers);
      if (reasons.length === 0 && left > SYNCED_WITHIN_BLOCKS)
        reasons.push({ path: 'last_scan_height', message: `is ${left} blocks below the tip` });
      if (sync.complete === false) reasons.push({ path: 'missing_ranges', message: 'are not scanned yet' });
      return reasons;
    }
  }
}

const NO_WALLET: FieldError = { path: 'wallet', message: 'does not exist yet' };

const isConnected = (servers: Known['servers']): boolean =>
  SERVERS.some((name) => servers[name].state === 'up');

function whyNotUp(name: ServerName, servers: Known['servers']): FieldError {
  const { state, code } = servers[name];
  const message = {
    up: 'answers',
    unknown: 'has not answered yet',
    behind: 'is below what was scanned',
    lost: 'does not answer',
    refused: 'refuses our credentials',
    wrong_network: 'belongs to another network',
    other_chain: 'follows a chain with less work',
  }[state];
  return { path: name, message: code === null ? message : `${message} (${code})` };
}

function blocksLeft(servers: Known['servers']): number {
  const tips = SERVERS.filter((name) => servers[name].state === 'up').map(
    (name) => servers[name].tip_height ?? 0,
  );
  return Math.max(...tips, 0) - (servers.last_scan_height ?? 0);
}
