// PCZTs (ZIP 374): read, written, explained, and compared with what was given out.

export { decodePczt, encodePczt, oldestEncoding } from '../shielded/pczt/codec.ts';
export { inspectingPczt, inspectPczt } from '../shielded/pczt/inspect.ts';
export type { InspectedOutput, InspectedSpend, Inspection, Place } from '../shielded/pczt/inspection.ts';
export type { ActionBundle, Encoding } from '../shielded/pczt/layout.ts';
export { EMPTY_SAPLING, leadByteOf, type Pczt } from '../shielded/pczt/pczt.ts';
export { type At, itemAt } from '../shielded/pczt/returned/at.ts';
export { type ReturnChange, sentenceOf } from '../shielded/pczt/returned/changes.ts';
export { isComplete, type Missing, missingOf } from '../shielded/pczt/returned/missing.ts';
export {
  isNothingNew,
  type Taken,
  takeReturned,
  takingReturned,
} from '../shielded/pczt/returned/returned.ts';
