// What the compiler lets nobody import: the packages' sources behind their doors. Nothing loads it.

// @ts-expect-error what lies behind a door has none of its own
import type {} from '@wallet-companion/client/dist/src/client/client.js';
// @ts-expect-error nor has this
import type {} from '@wallet-companion/zcash/dist/src/zcash/network.js';
// @ts-expect-error no door is named so
import type {} from '@wallet-companion/zcash/zcash/network';
