// Released nodes stop by themselves on the main network after a block that their release fixes.

import type { Height } from '@wallet-companion/base/values';

/** For nodes that do not tell it themselves. */
const LAST_BLOCKS: Readonly<Record<string, Height>> = {
  'zebra 6.3.0': 3_564_960,
  'zebra 7.0.0': 3_684_728,
  'zakura 1.3.1': 3_501_339,
  'zakura 1.7.0': 3_640_098,
};

/** `subversion`: as nodes name themselves to their peers, "/Zebra:7.0.0/". Undefined for a version that is not known. */
export function lastBlockOf(subversion: string): Height | undefined {
  const [, software = '', version = ''] =
    /(zebra|zakura)d?[:/ ]v?(\d+\.\d+\.\d+)(?![.\d-])/i.exec(subversion) ?? [];
  return LAST_BLOCKS[`${software.toLowerCase()} ${version}`];
}
