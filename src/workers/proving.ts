// Proofs for a wallet's thread, which starts no program: it asks the main thread by thread messages. Wallets that never
// ask cost no process and no memory.

import type { Worker } from 'node:worker_threads';
import type { Prover } from '../actors/wallet/ports/prover.ts';
import { CompanionError } from '../protocol/errors.ts';
import { failure, ok, type Result, unwrap } from '../protocol/result.ts';
import type { FromWalletThread, ToWalletThread } from './threadMessages.ts';

/** The main thread's side. */
export class ProofQueue {
  readonly #prover: Prover;

  constructor(prover: Prover = NOBODY) {
    this.#prover = prover;
  }

  /** Call it for each started thread; its requests end with it. */
  listen(worker: Worker): void {
    const running = new Map<number, AbortController>();
    worker.on('message', (message: FromWalletThread) => {
      if (message.kind === 'prove') void this.#prove(worker, running, message.id, message.pczt);
      else if (message.kind === 'give_up_proof') running.get(message.id)?.abort();
    });
    worker.once('exit', () => {
      for (const proof of running.values()) proof.abort();
    });
  }

  async #prove(
    worker: Worker,
    running: Map<number, AbortController>,
    id: number,
    pczt: Uint8Array<ArrayBuffer>,
  ): Promise<void> {
    const proof = new AbortController();
    running.set(id, proof);
    const result: Result<Uint8Array> = await this.#prover.prove(pczt, proof.signal).then(ok, failure);
    running.delete(id);
    const moved = result.ok && result.value.buffer instanceof ArrayBuffer ? [result.value.buffer] : [];
    worker.postMessage({ kind: 'proved', id, result } satisfies ToWalletThread, moved);
  }
}

const NOBODY: Prover = {
  async prove() {
    throw new CompanionError('NO_PROVER', 'Nobody makes proofs here.');
  },
};

/** A wallet thread's side. */
export class ProofClient implements Prover {
  readonly #tell: (message: FromWalletThread, moved: ArrayBuffer[]) => void;
  readonly #open = new Map<number, (result: Result<Uint8Array>) => void>();
  #lastId = 0;

  constructor(tell: (message: FromWalletThread, moved: ArrayBuffer[]) => void) {
    this.#tell = tell;
  }

  async prove(pczt: Uint8Array<ArrayBuffer>, stop: AbortSignal): Promise<Uint8Array> {
    this.#lastId += 1;
    const id = this.#lastId;
    const giveUp = (): void => this.#tell({ kind: 'give_up_proof', id }, []);
    const answer = new Promise<Result<Uint8Array>>((resolve) => this.#open.set(id, resolve));
    this.#tell({ kind: 'prove', id, pczt }, [pczt.buffer]);
    if (stop.aborted) giveUp();
    stop.addEventListener('abort', giveUp);
    try {
      return unwrap(await answer);
    } finally {
      stop.removeEventListener('abort', giveUp);
    }
  }

  /** The answer of the main thread. */
  hear(id: number, result: Result<Uint8Array>): void {
    this.#open.get(id)?.(result);
    this.#open.delete(id);
  }

  /** The session has ended: its proofs are no longer needed, and no other session may have them. */
  giveUpAll(): void {
    for (const id of this.#open.keys()) this.#tell({ kind: 'give_up_proof', id }, []);
  }
}
