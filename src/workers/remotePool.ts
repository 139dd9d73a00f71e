// The scan workers as a wallet thread has them for a session: through a port to the thread that owns them. Where that is
// lost, its tasks run again on the next one.

import type { ScanPool } from '../actors/wallet/ports/scanPool.ts';
import { unwrap } from '../protocol/result.ts';
import { Channel } from './channel.ts';
import { ATTEMPTS, scanPoolOver } from './scanPool.ts';
import type { ScanAnswer, WalletTask } from './scanTask.ts';
import type { MainChannel, ScanConnection, ScanWorkMethods } from './threadMethods.ts';

interface Context {
  readonly main: MainChannel;
  /** The number of the workers. */
  readonly threads: number;
  /** Whether the workers start with the first task, and not with the pool: starting them takes part of a second. */
  readonly isLazy: boolean;
}

type Hub = ScanConnection & { readonly channel: Channel<ScanWorkMethods> };

export function openRemotePool({ main, threads, isLazy }: Context): ScanPool {
  let current: Promise<Hub> | undefined;
  let lost: number | undefined;
  let isClosed = false;

  const connect = (): Promise<Hub> => {
    if (current !== undefined) return current;
    const connecting = main.call('connectScanWorkers', lost).then((answer): Hub => {
      const { id, port } = unwrap(answer);
      port.once('close', () => forget(id));
      return { id, port, channel: new Channel({ port, methods: {} }) };
    });
    const forget = (id?: number): void => {
      if (current !== connecting) return;
      current = undefined;
      lost = id;
    };
    current = connecting;
    connecting.catch(() => forget());
    return connecting;
  };

  /** Copied to the hub, not moved: a task that is lost with its thread runs again. */
  const run = async (task: WalletTask): Promise<ScanAnswer> => {
    for (let attempt = 1; ; attempt++) {
      const connecting = connect();
      const { channel } = await connecting;
      const answer = await channel.call('run', task);
      const isHubLost = current !== connecting && !isClosed;
      if (answer.ok || !isHubLost || attempt === ATTEMPTS) return unwrap(answer);
    }
  };

  /** When it resolves, no worker has anything of the wallet's keys, and no thread without another wallet is left. */
  const close = async (): Promise<void> => {
    isClosed = true;
    const hub = await current?.catch(() => undefined);
    if (hub === undefined) return;
    await hub.channel.call('leave', undefined);
    hub.port.close();
    unwrap(await main.call('leaveScanWorkers', hub.id));
  };

  if (!isLazy) void connect();
  return scanPoolOver(threads, run, close);
}
