// Workers of a fleet as people run them, a process each.

import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ExecutionContext } from 'ava';
import type { FleetPoolSettings } from '../../../src/workers/fleetMethods.ts';
import { untilTestEnds } from '../../helpers/childProcess.ts';
import { PROGRAM } from '../../helpers/program.ts';
import type { RedisServer } from '../../helpers/redisServer.ts';
import { UNHURRIED } from '../../helpers/service.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';
import { until } from '../../helpers/until.ts';

export const READY = /^scan worker ready: .*, identity [0-9a-f]{16}$/m;
export const FLEET_KEY = new Uint8Array(32).fill(5);
const LOCK_SECONDS = '2';

interface Worker {
  /** Resolves as soon as it has; rejects where it ended without. */
  says(what: RegExp): Promise<void>;
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  end(): Promise<number | null>;
}

interface Fleet {
  readonly settings: FleetPoolSettings &
    Readonly<Record<'fleet_redis_url' | 'fleet_redis_password_file' | 'fleet_key_file', string>>;
  /** `asIs`: with its own deadlines (unhurried.ts). */
  startWorker(options?: { readonly asIs?: true }): Worker;
}

export function layOutFleet(
  t: ExecutionContext,
  redis: Pick<RedisServer, 'url' | 'password'>,
  compactServerUrl: string,
): Fleet {
  const folder = temporaryFolder(t);
  const secret = (name: string, text: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, `${text}\n`);
    chmodSync(file, 0o600);
    return file;
  };
  const settings = {
    fleet_redis_url: redis.url,
    fleet_redis_password_file: secret('redis-password', redis.password),
    fleet_key_file: secret('fleet-key', Buffer.from(FLEET_KEY).toString('hex')),
    fleet_double_jobs: 1,
  };
  let count = 0;
  const startWorker = ({ asIs }: { readonly asIs?: true } = {}): Worker => {
    const own = path.join(folder, `worker-${++count}`);
    const flags = {
      '--fleet-redis-url': settings.fleet_redis_url,
      '--fleet-redis-password-file': settings.fleet_redis_password_file,
      '--fleet-key-file': settings.fleet_key_file,
      '--compact-server-url': compactServerUrl,
      '--network': 'regtest',
      '--config-dir': path.join(own, 'config'),
      '--data-dir': path.join(own, 'data'),
      '--threads': '1',
      '--lock-seconds': LOCK_SECONDS,
    };
    const args = [...(asIs ? [] : UNHURRIED), PROGRAM, 'scan-worker', ...Object.entries(flags).flat()];
    const child = untilTestEnds(t, spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    let output = '';
    let hasEnded = false;
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    void ended.then(() => {
      hasEnded = true;
    });
    const says = async (what: RegExp): Promise<void> => {
      await until(() => what.test(output) || hasEnded);
      if (!what.test(output)) throw new Error(`the worker ended: ${output}`);
    };
    const signal = async (name: NodeJS.Signals): Promise<number | null> => {
      child.kill(name);
      return ended;
    };
    return { says, kill: async () => void (await signal('SIGKILL')), end: () => signal('SIGTERM') };
  };
  return { settings, startWorker };
}
