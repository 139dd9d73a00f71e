// `desktop`: the window, and the companion that serves it while it is open.

import { randomUUID } from 'node:crypto';
import { faultFields } from '@wallet-companion/client/contract';
import { readDashboard } from '@wallet-companion/dashboard';
import type { LocalOptions } from '../cli/cliEnvironment.ts';
import { contextOf } from '../ipc/commands.ts';
import { openDesktop } from '../ipc/desktop/window.ts';
import { CompanionError } from '../protocol/errors.ts';
import { onHangup } from '../service/hangup.ts';
import { createLog } from '../workers/threadLog.ts';
import { openLocal } from './openLocal.ts';
import { openOrFail } from './serve.ts';

export async function desktop(options: LocalOptions, password?: string, wallet?: string): Promise<number> {
  const log = createLog('main');
  const opened = await openLocal(options, true);
  try {
    if (password !== undefined) {
      const result = await opened.link.dispatch(
        'wallet.unlock',
        { password },
        contextOf(randomUUID(), wallet),
      );
      if (!result.ok) openOrFail(result.error, log);
    }
    const onFault = (fault: unknown) => log.error(faultFields(fault), 'desktop window');
    const { link } = opened;
    const subscribe = link.subscribe?.bind(link);
    if (subscribe === undefined) throw noEvents();
    const window = await openDesktop({
      link: { dispatch: link.dispatch.bind(link), subscribe },
      files: readDashboard(),
      requestId: randomUUID,
      onFault,
      wallet,
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => window.close());
    onHangup(() => window.close());
    await window.closed;
    return 0;
  } finally {
    await opened.close();
  }
}

const noEvents = (): CompanionError =>
  new CompanionError(
    'COMPANION_UNREACHABLE',
    'The window cannot reach the running companion by its private socket. The same pages are at its address, in a browser.',
  );
