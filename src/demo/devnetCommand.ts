// `wallet-companion devnet`: the devnet as a program, with its calls behind the companion's front door.
import { type DevnetServing, serveDevnet, type Terminal } from '@wallet-companion/devnet';
import { PROVABLE_CIRCUIT } from '@wallet-companion/halo2';
import { loadWrongProofs } from '@wallet-companion/halo2/load';
import { serveCalls, toCompanionError } from './callServer.ts';

export interface DevnetCommand extends Omit<DevnetServing, 'http' | 'wrongProofs'> {
  /** Sent proofs are verified. */
  readonly verifiesProofs?: boolean;
  /** Left out: nothing is taken over HTTP. */
  readonly httpPort?: number;
}

/** Throws `INVALID_REQUEST` when a port is taken. */
export async function runDevnet(
  { httpPort, verifiesProofs = false, ...options }: DevnetCommand,
  terminal: Terminal,
): Promise<void> {
  const http = httpPort === undefined ? {} : { http: { port: httpPort, serve: serveCalls } };
  try {
    const wrongProofs = verifiesProofs ? await loadWrongProofs(PROVABLE_CIRCUIT) : undefined;
    await serveDevnet({ ...options, ...http, ...(wrongProofs && { wrongProofs }) }, terminal);
  } catch (thrown) {
    throw toCompanionError(thrown);
  }
}

export function processTerminal(print: Terminal['print']): Terminal {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  return { input: process.stdin, print, ended: ending.signal };
}
