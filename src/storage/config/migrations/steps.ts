// The versions of config.json. Version 1 is the first and has no version key; adding a step here raises the version
// (docs/storage.md).

import type { JsonDocument } from '../../files/jsonDocument.ts';
import type { Step } from '../../files/migrations.ts';

export type ConfigStep = Step<(document: JsonDocument) => JsonDocument>;

export const CONFIG_STEPS: readonly ConfigStep[] = [];
