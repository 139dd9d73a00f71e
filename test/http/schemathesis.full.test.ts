import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AT_LENGTH } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import { untilTestEnds } from '../helpers/childProcess.ts';

/** The command; `.ci/run` installs it where it can. */
const schemathesis = process.env['WALLET_COMPANION_SCHEMATHESIS'];
const isolates = spawnSync('unshare', ['--map-root-user', '--net', 'true']).status === 0;
const SCRIPT = fileURLToPath(new URL('./support/fuzz.js', import.meta.url));

/** A fresh network namespace has its loopback interface down. */
const LOOPBACK_UP = `
import fcntl, os, socket, struct, sys
s = socket.socket()
fcntl.ioctl(s, 0x8914, struct.pack("16sh14x", b"lo", 0x1))
os.execvp(sys.argv[1], sys.argv[1:])
`;

const run = schemathesis !== undefined && isolates ? test : test.skip;

run('a fuzzer finds no undocumented status, no 500 and no answer off its schema', async (t) => {
  const command = [
    '--map-root-user',
    '--net',
    'python3',
    '-c',
    LOOPBACK_UP,
    process.execPath,
    SCRIPT,
    schemathesis ?? '',
    AT_LENGTH ? 'examples,coverage,fuzzing' : 'examples',
  ];
  const child = untilTestEnds(t, spawn('unshare', command, { stdio: ['ignore', 'pipe', 'pipe'] }));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-8_000);
    });
  }
  const code = await new Promise((resolve) => child.once('close', resolve));
  t.is(code, 0, output);
});
