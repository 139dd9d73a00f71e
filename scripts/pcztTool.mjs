// Installs the reference's PCZT tool beside the real node. The first run takes some ten minutes of a processor.
// WALLET_COMPANION_PCZT_TOOL names a tool that was built elsewhere.
import { existsSync } from 'node:fs';
import { installSharedTool, sharedTool } from './sharedTool.mjs';

const NAME = 'pcztwork';

/** The path of the tool, whether it is installed or not. */
export const pcztTool = () => process.env.WALLET_COMPANION_PCZT_TOOL ?? sharedTool(NAME);

export function installPcztTool() {
  if (!existsSync(pcztTool())) installSharedTool(NAME);
}
