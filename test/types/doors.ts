// What the compiler lets nobody import: the packages' sources behind its doors. Nothing loads it.

// @ts-expect-error nothing behind a door has one of its own
import type {} from '@wallet-companion/client/dist/src/client/client.js';
// @ts-expect-error nor is what lies behind one
import type {} from '@wallet-companion/shielded/dist/src/shielded/bytes.js';
// @ts-expect-error no door is named so
import type {} from '@wallet-companion/shielded/shielded/bytes';
