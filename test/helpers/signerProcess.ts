// The allowance signer as a process, made and given a policy by its own commands.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { PHRASE } from '@wallet-companion/pczt/test/spendingAccount';
import type { ExecutionContext } from 'ava';
import type { Policy } from '../../src/allowance/policy.ts';
import { askSigner } from '../../src/service/programs/askSigner.ts';
import { POLICY } from './allowanceBed.ts';
import { untilTestEnds } from './childProcess.ts';
import { PROGRAM } from './program.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const run = promisify(execFile);

export const SIGNER_PASSWORD = 'of the signer alone, beside the old lighthouse';

export interface SignerProcess {
  readonly socket: string;
  readonly folder: string;
  /** Of the file with its password. */
  readonly password: string;
  command(name: string, ...more: string[]): Promise<string>;
  start(...more: string[]): Promise<ChildProcess>;
  ask(request: Uint8Array | string): Promise<{
    readonly signatures?: readonly object[];
    readonly refused?: string;
    readonly waits_for?: { readonly kind: string };
    readonly failed?: string;
    readonly cancelled?: string;
  }>;
}

export async function makeSigner(
  t: ExecutionContext,
  policy: Partial<Policy>,
  uid = process.getuid!(),
): Promise<SignerProcess> {
  const base = temporaryFolder(t);
  const folder = path.join(base, 'signer');
  const given = path.join(base, 'given');
  mkdirSync(given);
  const file = (name: string, text: string): string => {
    const at = path.join(given, name);
    writeFileSync(at, text, { mode: 0o600 });
    chownSync(at, uid, uid);
    return at;
  };
  for (const each of [base, given]) chownSync(each, uid, uid);
  const password = file('password', `${SIGNER_PASSWORD}\n`);
  const options = { uid, gid: uid, cwd: base, env: { ...process.env, HOME: base } };
  // The last flag of a name counts.
  const words = (name: string, ...more: string[]) => [
    ...[PROGRAM, 'signer', name, '--signer-dir', folder, '--password-file', password],
    ...more,
  ];
  const command = async (name: string, ...more: string[]): Promise<string> =>
    (await run(process.execPath, words(name, ...more), options)).stdout;
  await command('init', '--mnemonic-file', file('phrase', PHRASE), '--network', 'regtest');
  await command('policy', '--from', file('policy', JSON.stringify({ ...POLICY, ...policy })));
  const socket = path.join(folder, 'signer.sock');
  return {
    socket,
    folder,
    password,
    command,
    start: async (...more) => {
      const child = untilTestEnds(t, spawn(process.execPath, words('run', ...more), options));
      const [first] = (await once(child.stdout!, 'data')) as [Buffer];
      if (!/The signer listens on/.test(first.toString())) throw new Error(first.toString());
      return child;
    },
    ask: async (request) => {
      const bytes = typeof request === 'string' ? new TextEncoder().encode(request) : request;
      const answer = await askSigner(socket, bytes, new AbortController().signal);
      return JSON.parse(new TextDecoder().decode(answer));
    },
  };
}
