// Installs the reference wallet that `test/world/peer` is: zcash_client_sqlite behind a program of ours.
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  CARGO_FLAGS,
  CARGO_PROFILE,
  installTool,
  isInstalled,
  must,
  needs,
  rustFolder,
} from './cachedTool.mjs';

const NAME = 'world-peer';
const SOURCE = 'test/world/peer';

/** A change of its source makes another folder. */
function folder() {
  const hash = createHash('sha256');
  for (const file of readdirSync(SOURCE, { recursive: true }).sort()) {
    if (/\.(?:rs|toml|lock)$/.test(file)) hash.update(readFileSync(path.join(SOURCE, file)));
  }
  return rustFolder(`${NAME}-${hash.digest('hex').slice(0, 12)}`);
}

/** The program, or undefined where it is not installed. */
export const peerWallet = () => (isInstalled(folder(), [NAME]) ? path.join(folder(), NAME) : undefined);

export function installPeerWallet() {
  installTool(folder(), [NAME], (_work, ready) => {
    needs(['cargo', 'protoc'], 'The other wallet');
    // Shared by all its versions: most of what is built are the crates.
    const target = `${rustFolder(NAME)}.build`;
    const env = { ...process.env, ...CARGO_PROFILE, CARGO_TARGET_DIR: target };
    must('cargo', ['build', '--release', '--locked', ...CARGO_FLAGS], { env, cwd: SOURCE });
    cpSync(path.join(target, 'release', NAME), path.join(ready, NAME));
  });
}
