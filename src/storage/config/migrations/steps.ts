// The versions of config.json. Version 1 is the first and has no version key; adding a step here raises the version
// (docs/storage.md).

import type { Step } from '@wallet-companion/disk/files';
import type { JsonDocument } from '@wallet-companion/disk/json';

export type ConfigStep = Step<(document: JsonDocument) => JsonDocument>;

export const CONFIG_STEPS: readonly ConfigStep[] = [];
