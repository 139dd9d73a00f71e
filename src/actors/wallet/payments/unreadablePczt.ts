// A PCZT that cannot be read, as its bringer is told.

import { CompanionError } from '../../../protocol/errors.ts';
import type { FormatError } from '../../../shielded/bytes.ts';

/** The texts of refusals name fields and repeat nothing of what is in them. */
export const unreadablePczt = ({ message }: FormatError): CompanionError =>
  new CompanionError('INVALID_PCZT', `The PCZT is refused: ${message}.`, {
    errors: [{ path: 'pczt', message: `is refused: ${message}` }],
  });
