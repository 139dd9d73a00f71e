// `wallet-companion devnet`: the devnet as a program, with its calls behind the companion's front door.
import { type DevnetServing, serveDevnet, type Terminal } from '@wallet-companion/devnet';
import { PROVABLE_CIRCUIT } from '@wallet-companion/halo2';
import { ThreadedVerifier } from '@wallet-companion/halo2/load';
import { serveCalls, toCompanionError } from './callServer.ts';

export interface DevnetCommand extends Omit<DevnetServing, 'http' | 'findWrongProofs'> {
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
  const verifier = verifiesProofs ? new ThreadedVerifier(PROVABLE_CIRCUIT) : undefined;
  try {
    await serveDevnet(
      { ...options, ...http, ...(verifier && { findWrongProofs: verifier.findWrongProofs }) },
      terminal,
    );
  } catch (thrown) {
    throw toCompanionError(thrown);
  } finally {
    await verifier?.close();
  }
}

export function processTerminal(print: Terminal['print']): Terminal {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  return { input: process.stdin, print, ended: ending.signal };
}
