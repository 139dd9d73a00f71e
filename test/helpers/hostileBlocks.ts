// Compact blocks as somebody makes them who wants more than a scan: they link and parse, and carry a line of text.
import { compactMain } from './knownSeedBlocks.ts';

/** What a login as the owner would take. */
export const PLANTED_LINE = '\nssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPlantedByAStranger attacker@elsewhere\n';

const UNKNOWN_FIELD = (15 << 3) | 2;

/** The recorded chain, each block with the line in a field that nobody knows, as protobuf allows. */
export function plantedBlocks(): Uint8Array[] {
  const line = new TextEncoder().encode(PLANTED_LINE);
  return compactMain.map((block) => Uint8Array.from([...block, UNKNOWN_FIELD, line.length, ...line]));
}
