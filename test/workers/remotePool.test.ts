// When a wallet's thread asks for the scan workers, and what it does where their thread is lost.

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import test from 'ava';
import { Channel } from '../../src/workers/channel.ts';
import { openRemotePool } from '../../src/workers/remotePool.ts';
import type { MainChannel, ScanWorkMethods } from '../../src/workers/threadMethods.ts';

const NODE = new Uint8Array(32);

/** `run`: what the thread of each connection answers; undefined: it is lost instead. */
function poolOver(isLazy: boolean, run: (connection: number) => Uint8Array | undefined = () => NODE) {
  const log: string[] = [];
  let connections = 0;
  const connect = (): { readonly id: number; readonly port: MessagePort } => {
    connections += 1;
    const id = connections;
    const { port1, port2 } = new MessageChannel();
    log.push(`connect ${id}`);
    const calls: ScanWorkMethods['calls'] = {
      run: async () => {
        const answer = run(id);
        if (answer !== undefined) return answer;
        port1.close();
        return new Promise(() => undefined);
      },
      leave: async () => void log.push(`leave ${id}`),
    };
    new Channel({ port: port1, methods: { calls } });
    return { id, port: port2 };
  };
  const main = {
    call: async (method: string, id: unknown) => {
      if (method === 'connectScanWorkers') return { ok: true, value: connect() };
      log.push(`gone ${id}`);
      return { ok: true, value: undefined };
    },
  } as unknown as MainChannel;
  return { log, pool: openRemotePool({ main, threads: 1, isLazy }) };
}

const hash = ({ pool }: ReturnType<typeof poolOver>) => pool.combine('sapling', 0, new Uint8Array(64));

test('a session of a service has its workers at once, and leaves them', async (t) => {
  const { log, pool } = poolOver(false);
  t.deepEqual(log, ['connect 1']);
  await pool.close();
  t.deepEqual(log, ['connect 1', 'leave 1', 'gone 1']);
});

test('one of a single command has none until it scans, and none at its end where it scans nothing', async (t) => {
  const scanning = poolOver(true);
  t.deepEqual(scanning.log, []);
  t.deepEqual(await hash(scanning), NODE);
  t.deepEqual(scanning.log, ['connect 1']);
  await scanning.pool.close();
  const idle = poolOver(true);
  await idle.pool.close();
  t.deepEqual(idle.log, []);
});

test('a task that is lost with the workers runs again on others, three times in all', async (t) => {
  const once = poolOver(false, (connection) => (connection === 1 ? undefined : NODE));
  t.deepEqual(await hash(once), NODE);
  await once.pool.close();
  t.deepEqual(once.log, ['connect 1', 'connect 2', 'leave 2', 'gone 2']);
  const always = poolOver(false, () => undefined);
  await t.throwsAsync(hash(always), { code: 'THREAD_LOST' });
  t.deepEqual(always.log, ['connect 1', 'connect 2', 'connect 3']);
  await always.pool.close();
});
