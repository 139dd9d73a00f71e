// How long the input of an operation may be, on every surface, and how many long inputs may be in progress at a time:
// callers without a password must not fill the memory.

import { DEFAULT_INPUT_BYTES } from '@wallet-companion/client/contract';
import { CompanionError } from './errors.ts';
import { type OperationName, operationNames, operations } from './operations.ts';

/** How many inputs above the default limit one front accepts at a time. */
const MAX_LONG_INPUTS = 4;

export const inputLimit = (name: OperationName): number =>
  operations[name].maxInputBytes ?? DEFAULT_INPUT_BYTES;

const byCommand: ReadonlyMap<unknown, number> = new Map(
  operationNames.map((name) => [operations[name].ipc, inputLimit(name)]),
);

/** The limit of a command by its name; the default for unknown commands. */
export const commandInputLimit = (command: unknown): number => byCommand.get(command) ?? DEFAULT_INPUT_BYTES;

export interface LongInput {
  /** Marks the input as complete: from now on it never gives way to another one. */
  arrived(): void;
  /** Marks the input as answered, or as abandoned. */
  done(): void;
}

/**
 * When the limit is reached, a new input replaces the one that has been incomplete for the longest time, so that slow
 * senders block nobody; when all inputs are complete and being answered, the new one is refused.
 */
export class LongInputs {
  readonly #open = new Map<LongInput, ((reason: CompanionError) => void) | undefined>();

  /** `giveWay` ends the reading; an input without it never gives way. Throws `BUSY`. */
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
