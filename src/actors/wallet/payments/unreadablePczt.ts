// A PCZT that cannot be read, as its bringer is told.

import type { FormatError } from '@wallet-companion/shielded/bytes';
import { CompanionError } from '../../../protocol/errors.ts';

/** The texts of refusals name fields and repeat nothing of what is in them. */
export const unreadablePczt = ({ message }: FormatError): CompanionError =>
  new CompanionError('INVALID_PCZT', `The PCZT is refused: ${message}.`, {
    errors: [{ path: 'pczt', message: `is refused: ${message}` }],
  });
