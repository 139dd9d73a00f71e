// How long the input of an operation may be, on every surface that reads one, and how many long ones may be on their way
// at a time: whoever has no password must not fill the memory with them.

import { CompanionError } from './errors.ts';
import { type OperationName, operationNames, operations } from './operations.ts';

/** Of most operations: the longest honest input (two passwords, a phrase) is under 8 KiB. */
export const DEFAULT_INPUT_BYTES = 64 * 1024;

/** Longer ones than the default that one front takes at a time. */
const MAX_LONG_INPUTS = 4;

export const inputLimit = (name: OperationName): number =>
  operations[name].maxInputBytes ?? DEFAULT_INPUT_BYTES;

const byCommand: ReadonlyMap<unknown, number> = new Map(
  operationNames.map((name) => [operations[name].ipc, inputLimit(name)]),
);

/** By the name of the command; the default for what is none. */
export const commandInputLimit = (command: unknown): number => byCommand.get(command) ?? DEFAULT_INPUT_BYTES;

export const inKib = (bytes: number): string => `${(bytes / 1024).toLocaleString('en')} KiB`;

export interface LongInput {
  /** It is there in full: it gives way to nobody from now on. */
  arrived(): void;
  /** It was answered, or will not be. */
  done(): void;
}

/**
 * A newcomer beyond the limit takes the place of whoever has kept us waiting longest for the rest of an input, so that
 * some that are sent slowly keep nobody out; where all are being answered, it is refused.
 */
export class LongInputs {
  readonly #open = new Map<LongInput, ((reason: CompanionError) => void) | undefined>();

  /** `giveWay`: ends the reading; without it nothing does. Throws `BUSY`. */
  begin(giveWay?: (reason: CompanionError) => void): LongInput {
    if (this.#open.size >= MAX_LONG_INPUTS) this.#makeRoom();
    const input: LongInput = {
      arrived: () => {
        if (this.#open.has(input)) this.#open.set(input, undefined);
      },
      done: () => void this.#open.delete(input),
    };
    this.#open.set(input, giveWay);
    return input;
  }

  #makeRoom(): void {
    for (const [input, giveWay] of this.#open) {
      if (giveWay === undefined) continue;
      this.#open.delete(input);
      giveWay(busy());
      return;
    }
    throw busy();
  }
}

const busy = (): CompanionError =>
  new CompanionError('BUSY', 'Other long inputs are being read and answered; try again in a moment.');
