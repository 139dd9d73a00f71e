// Installs the reference's PCZT tool (from the shared folder, with the published crates) beside the real node. The first
// run takes some ten minutes of a processor. WALLET_COMPANION_PCZT_TOOL names a tool that was built elsewhere.
import { cpSync, existsSync } from 'node:fs';
import path from 'node:path';
import { CARGO_FLAGS, CARGO_PROFILE, installTool, must, rustFolder } from './cachedTool.mjs';

const NAME = 'pcztwork';

/** The path of the tool, whether it is installed or not. */
export const pcztTool = () => process.env.WALLET_COMPANION_PCZT_TOOL ?? path.join(rustFolder(NAME), NAME);

export function installPcztTool() {
  if (existsSync(pcztTool())) return;
  installTool(rustFolder(NAME), [NAME], (work, ready) => {
    const source = path.resolve(process.env.WALLET_COMPANION_SHARED ?? '../shared', 'tools', NAME);
    const cwd = path.join(work, NAME);
    cpSync(source, cwd, { recursive: true });
    const env = { ...process.env, ...CARGO_PROFILE, CARGO_TARGET_DIR: path.join(work, 'target') };
    must('cargo', ['build', '--release', '--locked', ...CARGO_FLAGS], { env, cwd });
    cpSync(path.join(work, 'target/release', NAME), path.join(ready, NAME));
  });
}
