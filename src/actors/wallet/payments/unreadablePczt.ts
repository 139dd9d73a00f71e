// The error for a PCZT that cannot be read.

import type { FormatError } from '@wallet-companion/shielded/bytes';
import { CompanionError } from '../../../protocol/errors.ts';

/** These texts name fields and repeat no content. */
export const unreadablePczt = ({ message }: FormatError): CompanionError =>
  new CompanionError('INVALID_PCZT', `The PCZT is refused: ${message}.`, {
    errors: [{ path: 'pczt', message: `is refused: ${message}` }],
  });
