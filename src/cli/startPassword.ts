// The password of `serve`: needed at start, and again when the wallet thread is lost. A file is read again then; what
// came from a descriptor cannot be, and is kept until a session ends that is not to be opened again.

import type { StartPassword } from '../protocol/startPassword.ts';
import { isSecretGiven, readSecretLine, type SecretSource } from './secrets.ts';

/** Undefined when no source is given. One that cannot be read is said now. */
export async function startPassword(source: SecretSource): Promise<StartPassword | undefined> {
  if (!isSecretGiven(source)) return undefined;
  const first = await readSecretLine('password', source);
  if (source.file === undefined) return keptPassword(first);
  first.fill(0);
  return { read: () => readSecretLine('password', source), forget: () => undefined };
}

function keptPassword(given: Uint8Array): StartPassword {
  let kept: Uint8Array | undefined = given;
  return {
    read: async () => (kept === undefined ? undefined : Uint8Array.from(kept)),
    forget: () => {
      kept?.fill(0);
      kept = undefined;
    },
  };
}
