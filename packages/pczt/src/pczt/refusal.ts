// Why a PCZT, or the action of a role on it, is refused. Callers map it to their own error code.
import { FormatError } from '@wallet-companion/base/bytes';

export type RefusalReason =
  /** The bytes do not follow the format. */
  | 'malformed'
  /** A later encoding, transaction version or upgrade than this code knows, or more than it accepts. */
  | 'unsupported'
  /** Fields contradict each other or a rule that every reader checks. */
  | 'inconsistent'
  /** Two copies differ where they must not. */
  | 'conflict'
  /** A role needs a field that is not there. */
  | 'missing'
  /** The PCZT does not allow this change (any more). */
  | 'notAllowed';

/** Why a PCZT was not read, or a role did nothing with it: `reason` is its kind, `field` the place. */
export class PcztRefusal extends FormatError {
  readonly reason: RefusalReason;
  /** The field at fault, such as `orchard.actions[1].spend.value`; empty for the whole PCZT. */
  readonly field: string;
  /** The message without the field. */
  readonly text: string;

  constructor(reason: RefusalReason, field: string, text: string) {
    super(field === '' ? text : `${field}: ${text}`);
    this.reason = reason;
    this.field = field;
    this.text = text;
  }
}

export function refuse(reason: RefusalReason, field: string, text: string): never {
  throw new PcztRefusal(reason, field, text);
}

/** Puts the field's name before those inside it when an error passes, so that no path is built where nothing fails. */
export function within(step: string, error: unknown): unknown {
  if (error instanceof PcztRefusal) {
    const joined = error.field === '' || error.field.startsWith('[') ? '' : '.';
    return new PcztRefusal(error.reason, `${step}${joined}${error.field}`, error.text);
  }
  return error instanceof FormatError ? new PcztRefusal('malformed', step, error.message) : error;
}

/** Runs `act`; its refusals name this field. */
export function inField<T>(step: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw within(step, error);
  }
}
