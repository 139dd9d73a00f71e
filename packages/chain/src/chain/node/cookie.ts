// Cookie authentication of the chain node: at every start it writes a file with fresh Basic credentials.
import { open } from 'node:fs/promises';

/** A cookie file holds one short line; anything longer is some other file. */
const MAX_COOKIE_BYTES = 4096;

/** User name that the node expects when its file holds only the password. */
const COOKIE_USER = '__cookie__';

/** The `Authorization` header from the node's cookie file, or undefined when the file cannot be read as one. */
export async function cookieAuthorization(file: string): Promise<string | undefined> {
  const text = await readShortFile(file);
  const line = text?.trim();
  if (line === undefined || line === '') return undefined;
  const credentials = line.includes(':') ? line : `${COOKIE_USER}:${line}`;
  return `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`;
}

async function readShortFile(file: string): Promise<string | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(MAX_COOKIE_BYTES + 1), 0);
      return bytesRead > MAX_COOKIE_BYTES ? undefined : buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    // Missing or unreadable: if it was needed, the node answers 401.
    return undefined;
  }
}
