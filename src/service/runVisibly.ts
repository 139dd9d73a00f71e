// Another program in the same terminal.

import { spawn } from 'node:child_process';

/** Its exit code; undefined where it is not there. */
export function runVisibly(program: string, args: readonly string[]): Promise<number | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, [...args], { stdio: 'inherit' });
    child.once('error', () => resolve(undefined));
    child.once('close', (code) => resolve(code ?? 1));
  });
}
