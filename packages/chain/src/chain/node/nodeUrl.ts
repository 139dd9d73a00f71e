// What counts as the address of a node.

import { CompanionError } from '@wallet-companion/client/contract';

/** HTTP(S) URL without credentials, else `INVALID_URL`. */
export function parseNodeUrl(text: string): URL {
  const url = URL.canParse(text) && !/\s/.test(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new CompanionError('INVALID_URL', 'The node URL must start with http:// or https://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new CompanionError(
      'INVALID_URL',
      'The node URL must not contain credentials; use the cookie file.',
    );
  }
  return url;
}
