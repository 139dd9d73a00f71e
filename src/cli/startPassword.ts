// The password of `serve`: needed at start, and again when the wallet thread is lost. A password file is read again then; a
// password from a descriptor is kept until a session ends that must not be reopened.

import { statSync } from 'node:fs';
import path from 'node:path';
import { isPrivateFile, openPasswordFile } from '@wallet-companion/disk/files';
import type { StartPassword } from '../protocol/startPassword.ts';
import { isSecretGiven, readSecretLine, type SecretSource } from './secrets.ts';

/** Undefined when no source is given. A source that cannot be read fails now. */
export async function startPassword(source: SecretSource): Promise<StartPassword | undefined> {
  if (!isSecretGiven(source)) return undefined;
  if (source.file !== undefined) requirePrivate(source.file);
  const first = await readSecretLine('password', source);
  if (source.file === undefined) return keptPassword(first);
  first.fill(0);
  return { read: () => readSecretLine('password', source), forget: () => undefined };
}

/** Where containers mount secrets that no other user in the container can read, whatever the mode of the file is. */
const CONTAINER_SECRETS = '/run/secrets';

/**
 * A pipe has no other readers, a missing file is reported by the later read, and files from systemd or a container are
 * protected by their folder.
 */
function requirePrivate(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  const { CREDENTIALS_DIRECTORY: handedOver = CONTAINER_SECRETS } = process.env;
  if (stats?.isFile() !== true) return;
  const folder = path.dirname(path.resolve(file));
  if (folder === CONTAINER_SECRETS || folder === path.resolve(handedOver)) return;
  if (!isPrivateFile(stats)) throw openPasswordFile();
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
