// The calls of a prover: starts its threads with the first one, and keeps them, with the circuit's key, for the next.

import { ProverError } from './failures.ts';
import type { Call } from './messages.ts';
import type { ProverThreads } from './proverThreads.ts';

/** A PCZT of 32 actions in each of two pools has 0.45 MB. */
const MAX_PCZT_BYTES = 8 * 1024 * 1024;
/** Threads whose memory has grown further, by a payment of many actions, are not kept. */
const MAX_KEPT_BYTES = 256 * 1024 * 1024;

export interface ProverOptions {
  /** How many threads share the work of a proof. */
  readonly threads: number;
  /**
   * Called when a call has ended: to call `end` after some time without another one, which gives the memory back. What it
   * returns cancels that. Without it the threads are kept.
   */
  readonly whenIdle?: (end: () => void) => () => void;
}

export interface CallOptions {
  /** Ends the call, and the prover's threads, at once. */
  readonly signal?: AbortSignal;
}

/** One call at a time. Each rejects with a `ProverError`. */
export interface PcztProver {
  /**
   * Adds the proofs that the PCZT lacks and this prover makes, and verifies all that it then has. The answer has the encoding
   * of the input. `pczt` is not changed.
   */
  prove(pczt: Uint8Array, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** Rejects with `WRONG_PROOF` if the PCZT has an Orchard or Ironwood proof that is not one of this transaction. */
  verify(pczt: Uint8Array, options?: CallOptions): Promise<void>;
  /** Ends the threads, and what they do. */
  close(): void;
}

export function proverOn(
  start: () => Promise<ProverThreads>,
  whenIdle: ProverOptions['whenIdle'],
): PcztProver {
  const calls = new Calls(start, whenIdle);
  return {
    prove: (pczt, { signal } = {}) => calls.call('prove', pczt, signal),
    verify: async (pczt, { signal } = {}) => void (await calls.call('verify', pczt, signal)),
    close: () => calls.close(),
  };
}

const stopped = (): ProverError => new ProverError('STOPPED', 'The call was given up.');

class Calls {
  readonly #start: () => Promise<ProverThreads>;
  readonly #whenIdle: ProverOptions['whenIdle'];
  readonly #closing = new AbortController();
  #threads: ProverThreads | undefined;
  #isBusy = false;
  #stayAwake: (() => void) | undefined;

  constructor(start: () => Promise<ProverThreads>, whenIdle: ProverOptions['whenIdle']) {
    this.#start = start;
    this.#whenIdle = whenIdle;
  }

  async call(name: Call['name'], pczt: Uint8Array, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    if (pczt.length > MAX_PCZT_BYTES) throw new ProverError('INVALID_PCZT', 'The PCZT is too long.');
    if (this.#isBusy) throw new ProverError('BUSY', 'Another call is running.');
    const stop = AbortSignal.any([this.#closing.signal, ...(signal === undefined ? [] : [signal])]);
    this.#isBusy = true;
    this.#stayAwake?.();
    try {
      return await this.#callIn(await this.#startedThreads(), name, pczt, stop);
    } finally {
      this.#isBusy = false;
      this.#stayAwake = this.#whenIdle?.(() => this.#threads?.end(stopped()));
    }
  }

  close(): void {
    this.#closing.abort();
    this.#threads?.end(stopped());
  }

  async #startedThreads(): Promise<ProverThreads> {
    if (this.#threads?.hasEnded !== false) this.#threads = await this.#start();
    return this.#threads;
  }

  async #callIn(
    threads: ProverThreads,
    name: Call['name'],
    pczt: Uint8Array,
    stop: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const end = (): void => threads.end(stopped());
    if (stop.aborted) end();
    stop.addEventListener('abort', end);
    try {
      return await threads.call(name, pczt);
    } finally {
      stop.removeEventListener('abort', end);
      if (threads.memoryBytes > MAX_KEPT_BYTES) end();
    }
  }
}
