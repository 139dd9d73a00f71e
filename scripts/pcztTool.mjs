// Installs the reference's PCZT tool (from the shared folder, with the published crates) beside the real node. The first
// run takes some ten minutes of a processor. WALLET_COMPANION_PCZT_TOOL names a tool that was built elsewhere.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { CARGO_FLAGS, CARGO_PROFILE, cacheFolder, capture, must } from './realNode.mjs';

const NAME = 'pcztwork';

/** The path of the tool, whether it is installed or not. */
export const pcztTool = () => process.env.WALLET_COMPANION_PCZT_TOOL ?? path.join(cacheFolder(NAME), NAME);

export function installPcztTool() {
  if (existsSync(pcztTool())) return;
  const target = cacheFolder(NAME);
  const work = `${target}.build`;
  const source = path.resolve(process.env.WALLET_COMPANION_SHARED ?? '../shared', 'tools', NAME);
  cpSync(source, path.join(work, NAME), { recursive: true });
  const env = { ...process.env, ...CARGO_PROFILE, CARGO_TARGET_DIR: path.join(work, 'target') };
  must('cargo', ['build', '--release', '--locked', ...CARGO_FLAGS], { env, cwd: path.join(work, NAME) });
  const ready = `${target}.ready`;
  rmSync(ready, { recursive: true, force: true });
  mkdirSync(ready, { recursive: true });
  cpSync(path.join(work, 'target/release', NAME), path.join(ready, NAME));
  capture('strip', [path.join(ready, NAME)]);
  rmSync(target, { recursive: true, force: true });
  renameSync(ready, target);
}
