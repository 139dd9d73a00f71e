// Proofs and signatures for a wallet's thread, which starts no program: it asks the main thread. Wallets
// that never ask cost no process and no memory.

import type { Prover, Signer } from '../actors/wallet/ports/signing.ts';
import { CompanionError } from '../protocol/errors.ts';
import type { PcztRole } from '../protocol/pcztPrograms.ts';
import { unwrap } from '../protocol/result.ts';
import { move, withBuffer } from './channel.ts';
import type { MainChannel, ProgramRequest } from './threadMethods.ts';

/** Where a role of PCZTs is played. */
export interface PcztRunner {
  /** As `Prover.prove` and `Signer.sign`. */
  run(pczt: Uint8Array<ArrayBuffer>, stop: AbortSignal): Promise<Uint8Array>;
}
export interface PcztRunners extends Readonly<Record<PcztRole, PcztRunner>> {
  readonly prover: PcztRunner & Pick<Prover, 'provesSapling'>;
}

/** The main thread's side. */
export class ProgramQueue {
  readonly #runners: PcztRunners;

  constructor(runners: PcztRunners = NOBODY) {
    this.#runners = runners;
  }

  /** For one thread; its requests end with it. */
  join(ended: Promise<void>): {
    run(request: ProgramRequest): Promise<Uint8Array>;
    giveUp(id?: number): void;
    provesSapling(): Promise<boolean>;
  } {
    const running = new Map<number, AbortController>();
    const giveUp = (id?: number): void => {
      for (const [known, run] of running) if (id === undefined || id === known) run.abort();
    };
    void ended.then(() => giveUp());
    return {
      run: async ({ role, id, pczt }) => {
        const run = new AbortController();
        running.set(id, run);
        try {
          return withBuffer(await this.#runners[role].run(pczt, run.signal));
        } finally {
          running.delete(id);
        }
      },
      giveUp,
      provesSapling: () => this.#runners.prover.provesSapling(),
    };
  }
}

const nobody = (code: 'NO_PROVER' | 'NO_SIGNER', text: string): PcztRunner => ({
  async run() {
    throw new CompanionError(code, text);
  },
});

const NOBODY: PcztRunners = {
  prover: {
    ...nobody('NO_PROVER', 'Nobody makes proofs here.'),
    provesSapling: async () => false,
  },
  signer: nobody('NO_SIGNER', 'Nobody signs here.'),
};

/** A wallet thread's side. */
export class ProgramClient implements Prover, Signer {
  readonly #main: MainChannel;
  #lastId = 0;

  constructor(main: MainChannel) {
    this.#main = main;
  }

  prove(pczt: Uint8Array<ArrayBuffer>, stop: AbortSignal): Promise<Uint8Array> {
    return this.#run('prover', pczt, stop);
  }

  async provesSapling(): Promise<boolean> {
    return unwrap(await this.#main.call('provesSapling', undefined));
  }

  sign(pczt: Uint8Array<ArrayBuffer>, stop: AbortSignal): Promise<Uint8Array> {
    return this.#run('signer', pczt, stop);
  }

  /** The session has ended: its answers are no longer needed, and no other session may have them. */
  giveUpAll(): void {
    this.#main.emit('giveUpProgram', undefined);
  }

  async #run(role: PcztRole, pczt: Uint8Array<ArrayBuffer>, stop: AbortSignal): Promise<Uint8Array> {
    this.#lastId += 1;
    const id = this.#lastId;
    const giveUp = (): void => this.#main.emit('giveUpProgram', id);
    const answer = this.#main.call('runProgram', move({ role, id, pczt }, [pczt.buffer]));
    if (stop.aborted) giveUp();
    stop.addEventListener('abort', giveUp);
    try {
      return unwrap(await answer);
    } finally {
      stop.removeEventListener('abort', giveUp);
    }
  }
}
