// Proofs and signatures for a wallet's thread, which starts no program: it asks the main thread by thread messages. Wallets
// that never ask cost no process and no memory.

import type { Worker } from 'node:worker_threads';
import type { Prover } from '../actors/wallet/ports/prover.ts';
import type { Signer } from '../actors/wallet/ports/signer.ts';
import { CompanionError } from '../protocol/errors.ts';
import type { PcztRole } from '../protocol/pcztPrograms.ts';
import { failure, ok, type Result, unwrap } from '../protocol/result.ts';
import type { FromWalletThread, ToWalletThread } from './threadMessages.ts';

/** Where a role of PCZTs is played. */
export interface PcztRunner {
  /** As `Prover.prove` and `Signer.sign`. */
  run(pczt: Uint8Array<ArrayBuffer>, stop: AbortSignal): Promise<Uint8Array>;
}
export type PcztRunners = Readonly<Record<PcztRole, PcztRunner>>;

/** The main thread's side. */
export class ProgramQueue {
  readonly #runners: PcztRunners;

  constructor(runners: PcztRunners = NOBODY) {
    this.#runners = runners;
  }

  /** Call it for each started thread; its requests end with it. */
  listen(worker: Worker): void {
    const running = new Map<number, AbortController>();
    worker.on('message', (message: FromWalletThread) => {
      if (message.kind === 'run_program') void this.#run(worker, running, message);
      else if (message.kind === 'give_up_program') running.get(message.id)?.abort();
    });
    worker.once('exit', () => {
      for (const run of running.values()) run.abort();
    });
  }

  async #run(
    worker: Worker,
    running: Map<number, AbortController>,
    { role, id, pczt }: Extract<FromWalletThread, { readonly kind: 'run_program' }>,
  ): Promise<void> {
    const run = new AbortController();
    running.set(id, run);
    const result: Result<Uint8Array> = await this.#runners[role].run(pczt, run.signal).then(ok, failure);
    running.delete(id);
    const moved = result.ok && result.value.buffer instanceof ArrayBuffer ? [result.value.buffer] : [];
    worker.postMessage({ kind: 'program_done', id, result } satisfies ToWalletThread, moved);
  }
}

const nobody = (code: 'NO_PROVER' | 'NO_SIGNER', text: string): PcztRunner => ({
  async run() {
    throw new CompanionError(code, text);
  },
});

const NOBODY: PcztRunners = {
  prover: nobody('NO_PROVER', 'Nobody makes proofs here.'),
  signer: nobody('NO_SIGNER', 'Nobody signs here.'),
};

/** A wallet thread's side. */
export class ProgramClient implements Prover, Signer {
  readonly #tell: (message: FromWalletThread, moved: ArrayBuffer[]) => void;
  readonly #open = new Map<number, (result: Result<Uint8Array>) => void>();
  #lastId = 0;

  constructor(tell: (message: FromWalletThread, moved: ArrayBuffer[]) => void) {
    this.#tell = tell;
  }

  prove(pczt: Uint8Array<ArrayBuffer>, stop: AbortSignal): Promise<Uint8Array> {
    return this.#run('prover', pczt, stop);
  }

  sign(pczt: Uint8Array<ArrayBuffer>, stop: AbortSignal): Promise<Uint8Array> {
    return this.#run('signer', pczt, stop);
  }

  /** The answer of the main thread. */
  hear(id: number, result: Result<Uint8Array>): void {
    this.#open.get(id)?.(result);
    this.#open.delete(id);
  }

  /** The session has ended: its answers are no longer needed, and no other session may have them. */
  giveUpAll(): void {
    for (const id of this.#open.keys()) this.#tell({ kind: 'give_up_program', id }, []);
  }

  async #run(role: PcztRole, pczt: Uint8Array<ArrayBuffer>, stop: AbortSignal): Promise<Uint8Array> {
    this.#lastId += 1;
    const id = this.#lastId;
    const giveUp = (): void => this.#tell({ kind: 'give_up_program', id }, []);
    const answer = new Promise<Result<Uint8Array>>((resolve) => this.#open.set(id, resolve));
    this.#tell({ kind: 'run_program', role, id, pczt }, [pczt.buffer]);
    if (stop.aborted) giveUp();
    stop.addEventListener('abort', giveUp);
    try {
      return unwrap(await answer);
    } finally {
      stop.removeEventListener('abort', giveUp);
    }
  }
}
