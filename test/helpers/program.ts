// The program as it is shipped: what black-box tests run. Its parts are tested as they are compiled.
import { fileURLToPath } from 'node:url';

/** Coverage counts the compiled modules, which the program has in itself otherwise. */
export const PROGRAM =
  process.env['WALLET_COMPANION_PROGRAM'] ?? fileURLToPath(new URL('../../program/main.js', import.meta.url));
