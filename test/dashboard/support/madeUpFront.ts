// The dashboard over a made-up companion with an open wallet; a test says what else it answers.
import { readDashboard } from '@wallet-companion/dashboard';
import type { ExecutionContext } from 'ava';
import { examples } from '../../../scripts/generate/examples.ts';
import { ok } from '../../../src/protocol/result.ts';
import { type HttpFront, startHttpFront } from '../../helpers/httpFront.ts';

const files = readDashboard();

export async function madeUpFront(t: ExecutionContext): Promise<HttpFront> {
  const stopping = new AbortController();
  const front = await startHttpFront({ dashboard: files, stopping: stopping.signal });
  t.teardown(() => {
    stopping.abort();
    return front.close();
  });
  const { link } = front;
  const idle = { syncing: false, progress: null, last_error: null };
  link.answerWith('sync.status', () => ok({ ...examples['sync.status'].output, ...idle }));
  link.answerWith('transactions.list', () =>
    ok({ ...examples['transactions.list'].output, next_cursor: null }),
  );
  link.answerWith('notes.list', () => ok({ ...examples['notes.list'].output, next_cursor: null }));
  link.answerWith('pairing.list', () => ok({ requests: [], allowed_origins: [] }));
  unlocked(front, true);
  return front;
}

export const unlocked = ({ link }: HttpFront, isOpen: boolean): void =>
  link.answerWith('wallet.status', () =>
    ok({ ...examples['wallet.status'].output, exists: true, unlocked: isOpen, own_signer: false }),
  );
