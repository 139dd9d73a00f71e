// A Redis or Valkey of the test's own, on loopback, without a disk: restarted it has forgotten everything. Not there on
// every machine (Debian: apt install valkey-server, or redis-server).

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Teardown, untilTestEnds } from './childProcess.ts';
import { freePort } from './freePort.ts';
import { installedProgram } from './installedProgram.ts';

export const REDIS = installedProgram(['valkey-server', 'redis-server']);

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  readonly password: string;
  kill(): Promise<void>;
  /** Killed and started again on the same port. */
  restart(): Promise<void>;
}

export async function startRedis(t: Teardown): Promise<RedisServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'companion-redis-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const password = 'a password of the test';
  let server = await start(t, port, folder, password);
  const kill = async () => {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    password,
    kill,
    restart: async () => {
      await kill();
      server = await start(t, port, folder, password);
    },
  };
}

async function start(t: Teardown, port: number, folder: string, password: string) {
  const server = untilTestEnds(
    t,
    spawn(REDIS ?? '', ['-'], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] }),
  );
  // By standard input: arguments are anybody's to read.
  server.stdin.end(
    [`port ${port}`, 'bind 127.0.0.1', 'save ""', 'appendonly no', `requirepass "${password}"`, ''].join(
      '\n',
    ),
  );
  await new Promise<void>((resolve, reject) => {
    let output = '';
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (/ready to accept connections/i.test(output)) resolve();
    });
    server.once('exit', (code) => reject(new Error(`${REDIS} ended with ${code}: ${output}`)));
  });
  return server;
}
