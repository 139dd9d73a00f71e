// The prover that config.json names, in the main thread: the wallet's thread starts no processes. One proof at a time,
// since each uses all processors and much memory; a few callers wait, further ones get `BUSY`.

import { CompanionError } from '../../protocol/errors.ts';
import type { ProverSetting } from '../../protocol/prover.ts';
import { trustedFile } from '../programs/trustedFile.ts';
import { type ProgramContext, type ProverFailure, runProver } from './proverProgram.ts';

const MAX_WAITING = 4;

export interface ProverLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface ProverEnvironment extends ProgramContext {
  /** Absolute path of config.json: a user who can write it decides which program runs. */
  readonly settingsFile: string;
  readonly setting: ProverSetting | null;
  readonly log: ProverLog;
}

export class ProgramProver {
  readonly #environment: ProverEnvironment;
  readonly #stopping = new AbortController();
  #setting: ProverSetting | null;
  #turn: Promise<void> = Promise.resolve();
  #open = 0;

  constructor(environment: ProverEnvironment) {
    this.#environment = environment;
    this.#setting = environment.setting;
  }

  /** Applies from the next proof on. */
  configure(setting: ProverSetting | null): void {
    this.#setting = setting;
  }

  /** Ends the running proof, and all that wait. */
  stop(): void {
    this.#stopping.abort();
  }

  /**
   * Wipes the PCZT. The answer is in a separate buffer, and is the program's output, unchecked. Rejects with `NO_PROVER`,
   * `BUSY` and `PROVER_FAILED`.
   */
  async prove(pczt: Uint8Array, stop: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const either = AbortSignal.any([stop, this.#stopping.signal]);
    try {
      if (this.#setting === null) throw noProver();
      if (this.#open > MAX_WAITING) throw busy();
      this.#open += 1;
      try {
        return await this.#inTurn(() => this.#run(pczt, either), either);
      } finally {
        this.#open -= 1;
      }
    } finally {
      pczt.fill(0);
    }
  }

  /** A caller that gives up while others have their turn does not wait for them. */
  #inTurn<T>(work: () => Promise<T>, stop: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const givenUp = (): void => reject(stopped());
      stop.addEventListener('abort', givenUp);
      this.#turn = this.#turn.then(() => {
        stop.removeEventListener('abort', givenUp);
        return stop.aborted ? givenUp() : work().then(resolve, reject);
      });
    });
  }

  async #run(pczt: Uint8Array, stop: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const setting = this.#setting;
    if (setting === null) throw noProver();
    const { settingsFile, log } = this.#environment;
    const trust = trustedFile(settingsFile);
    if (!('file' in trust)) {
      log.warn({ problem: trust.problem }, 'the prover is not run: others may write config.json');
      throw proverFailed('UNSAFE_COMMAND', setting);
    }
    const { answer, failure, lastWords } = await runProver(setting, pczt, stop, this.#environment);
    if (answer !== undefined) return answer;
    if (failure === 'STOPPED') throw stopped();
    log.warn({ failure, lastWords }, 'the prover failed');
    throw proverFailed(failure ?? 'NO_OUTPUT', setting);
  }
}

const noProver = (): CompanionError =>
  new CompanionError(
    'NO_PROVER',
    'No program that makes proofs is configured: name one as "prover" in config.json.',
  );

const busy = (): CompanionError =>
  new CompanionError('BUSY', 'Other proofs are being made; try again in a while.');

const stopped = (): CompanionError =>
  new CompanionError('PROVER_FAILED', 'The proof was given up before it was made.');

const SENTENCES: Readonly<Record<string, (setting: ProverSetting) => string>> = {
  UNSAFE_COMMAND: () =>
    'The prover was not run: it is no program that may be run, or others may write to it or to config.json.',
  NOT_STARTED: () => 'The prover could not be started.',
  TIMEOUT: ({ timeout_seconds: seconds }) => `The prover took longer than ${seconds} s and was ended.`,
  TOO_MUCH_MEMORY: ({ max_memory_mb: mb }) => `The prover took more than ${mb} MB of memory and was ended.`,
  TOO_MUCH_OUTPUT: () => 'The prover wrote more than a PCZT can have and was ended.',
  NO_OUTPUT: () => 'The prover wrote nothing.',
};

function proverFailed(failure: ProverFailure, setting: ProverSetting): CompanionError {
  const said =
    SENTENCES[failure]?.(setting) ?? `The prover ended with ${failure}; the log has its last words.`;
  return new CompanionError('PROVER_FAILED', said);
}
