// A program that config.json names for a role of PCZTs, in the main thread: the wallet's thread starts no processes. A prover of
// packages/prover makes proofs where there is no program, and an allowance signer may stand for the other. One PCZT at a time, since a proof uses all processors and much
// memory, and a person confirms one payment after the other; a few callers wait, further ones get `BUSY`.

import type { PcztProver } from '@wallet-companion/prover';
import {
  type ProgramContext,
  type ProgramFailure,
  type ProgramSetting,
  runProgram,
} from '../../programs/programRun.ts';
import { trustedFile } from '../../programs/trustedFile.ts';
import type { BuiltInProver, PcztRole, ProverKind, SignerSocket } from '../../protocol/pcztPrograms.ts';
import { askSigner } from './askSigner.ts';
import { PROGRAM_ERRORS, type ProgramErrors } from './programErrors.ts';

const MAX_WAITING = 4;

export interface ProgramLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** As in config.json; `module`: the reference crates' prover. */
export type RoleSetting = ProgramSetting | SignerSocket | 'module' | null;

export interface ProgramEnvironment extends ProgramContext {
  /** Absolute path of config.json: a user who can write it decides which program runs. */
  readonly settingsFile: string;
  readonly setting: RoleSetting;
  /** Does it without a program. The same at each call; undefined where it was not built. */
  readonly builtIn?: (kind: BuiltInProver) => Promise<PcztProver | undefined>;
  /** Whether the built-in provers have what Sapling's proofs need. */
  readonly provesSapling?: () => Promise<boolean>;
  readonly log: ProgramLog;
}

export class PcztProgram {
  readonly #role: PcztRole;
  readonly #errors: ProgramErrors;
  readonly #environment: ProgramEnvironment;
  readonly #stopping = new AbortController();
  #setting: RoleSetting;
  #turn: Promise<void> = Promise.resolve();
  #open = 0;

  constructor(role: PcztRole, environment: ProgramEnvironment) {
    this.#role = role;
    this.#errors = PROGRAM_ERRORS[role];
    this.#environment = environment;
    this.#setting = environment.setting;
  }

  /** Applies from the next PCZT on. */
  configure(setting: RoleSetting): void {
    this.#setting = setting;
  }

  async kind(): Promise<ProverKind> {
    const setting = this.#setting;
    if (setting !== null && setting !== 'module') return 'program';
    const kind = setting ?? 'own';
    return (await this.#environment.builtIn?.(kind)) === undefined ? 'none' : kind;
  }

  /** Whether it makes Sapling proofs too, as a program is believed to. */
  async provesSapling(): Promise<boolean> {
    const kind = await this.kind();
    if (kind === 'program' || kind === 'none') return kind === 'program';
    return (await this.#environment.provesSapling?.()) ?? false;
  }

  /** Ends the running program, and all that wait. */
  stop(): void {
    this.#stopping.abort();
  }

  /**
   * Wipes the PCZT. The answer is in a separate buffer, and that of a program is unchecked.
   * Rejects with `BUSY`, and with the codes of the role: `NO_PROVER` and `PROVER_FAILED`, or `NO_SIGNER` and `SIGNER_FAILED`.
   */
  async run(pczt: Uint8Array, stop: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const either = AbortSignal.any([stop, this.#stopping.signal]);
    try {
      if (this.#open > MAX_WAITING) throw this.#errors.busy();
      this.#open += 1;
      try {
        return await this.#inTurn(() => this.#runNow(pczt, either), either);
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
      const givenUp = (): void => reject(this.#errors.stopped());
      stop.addEventListener('abort', givenUp);
      this.#turn = this.#turn.then(() => {
        stop.removeEventListener('abort', givenUp);
        return stop.aborted ? givenUp() : work().then(resolve, reject);
      });
    });
  }

  async #runNow(pczt: Uint8Array, stop: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const setting = this.#setting;
    if (setting !== null && setting !== 'module')
      return 'socket' in setting
        ? askSigner(setting.socket, pczt, stop)
        : this.#runProgram(setting, pczt, stop);
    const prover = await this.#environment.builtIn?.(setting ?? 'own');
    if (prover === undefined) throw this.#errors.none();
    const { runBuiltIn } = await import('./builtInRun.ts');
    return runBuiltIn(prover, pczt, stop, this.#environment);
  }

  async #runProgram(
    setting: ProgramSetting,
    pczt: Uint8Array,
    stop: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { settingsFile, log } = this.#environment;
    const name = this.#role;
    const { failed, stopped, tookTooLong } = this.#errors;
    const trust = trustedFile(settingsFile);
    if (!('file' in trust)) {
      log.warn({ problem: trust.problem }, `the ${name} is not run: others may write config.json`);
      throw failed(sentence('UNSAFE_COMMAND', name, setting));
    }
    const {
      answer,
      failure = 'NO_OUTPUT',
      lastWords,
    } = await runProgram(setting, pczt, stop, this.#environment);
    if (answer !== undefined) return answer;
    if (failure === 'STOPPED') throw stopped();
    log.warn({ failure, lastWords }, `the ${name} failed`);
    if (failure === 'TIMEOUT') throw tookTooLong(setting.timeout_seconds);
    throw failed(sentence(failure, name, setting));
  }
}

const ENDINGS: Readonly<Record<string, (setting: ProgramSetting) => string>> = {
  UNSAFE_COMMAND: () =>
    'was not run: it is no program that may be run, or others may write to it or to config.json',
  NOT_STARTED: () => 'could not be started',
  TOO_MUCH_MEMORY: ({ max_memory_mb: mb }) => `took more than ${mb} MB of memory and was ended`,
  TOO_MUCH_OUTPUT: () => 'wrote more than a PCZT can have and was ended',
  NO_OUTPUT: () => 'wrote nothing',
};

const sentence = (failure: ProgramFailure, name: PcztRole, setting: ProgramSetting): string =>
  `The ${name} ${ENDINGS[failure]?.(setting) ?? `ended with ${failure}; the log has its last words`}.`;
