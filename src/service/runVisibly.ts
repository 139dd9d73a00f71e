// Runs another program in the same terminal.

import { spawn } from 'node:child_process';

/** Resolves with its exit code; undefined where the program does not exist. */
export function runVisibly(program: string, args: readonly string[]): Promise<number | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, [...args], { stdio: 'inherit' });
    child.once('error', () => resolve(undefined));
    child.once('close', (code) => resolve(code ?? 1));
  });
}
