// Commands as a person types them: what they print, and how they end.
import { execFile } from 'node:child_process';

export interface Ended {
  /** Null where a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function run(command: string, args: readonly string[], cwd = '.'): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(command, args, { maxBuffer: 1 << 28, cwd }, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
}

/** What it prints; rejects if it fails. */
export async function output(command: string, args: readonly string[], cwd?: string): Promise<string> {
  const { status, stdout, stderr } = await run(command, args, cwd);
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr.slice(-2_000)}`);
  return stdout;
}
