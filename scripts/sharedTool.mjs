// Tools that the shared folder has as sources of published crates: each is built once, by `cargo`, into a folder outside the
// checkout.
import { cpSync, existsSync } from 'node:fs';
import path from 'node:path';
import { CARGO_FLAGS, CARGO_PROFILE, capture, installTool, must, rustFolder } from './cachedTool.mjs';

const sources = (name) => path.resolve(process.env.WALLET_COMPANION_SHARED ?? '../shared', 'tools', name);

/** The path of the tool, whether it is installed or not. */
export const sharedTool = (name) => path.join(rustFolder(name), name);

/** Whether this machine has what the tool is built from and with. */
export const canInstallTool = (name) =>
  existsSync(sources(name)) && capture('cargo', ['--version']) !== undefined;

export function installSharedTool(name) {
  installTool(rustFolder(name), [name], (work, ready) => {
    const cwd = path.join(work, name);
    cpSync(sources(name), cwd, { recursive: true });
    const env = { ...process.env, ...CARGO_PROFILE, CARGO_TARGET_DIR: path.join(work, 'target') };
    must('cargo', ['build', '--release', '--locked', ...CARGO_FLAGS], { env, cwd });
    cpSync(path.join(work, 'target/release', name), path.join(ready, name));
  });
}
