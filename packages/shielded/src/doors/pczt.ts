// PCZTs (ZIP 374): reads, writes and explains them, and compares a returned PCZT with the one that was sent.

export { type BareSignature, withBareSignatures } from '../shielded/pczt/bareSignatures.ts';
export { decodePczt, encodePczt, oldestEncoding } from '../shielded/pczt/codec.ts';
export { inspectingPczt, inspectPczt } from '../shielded/pczt/inspect.ts';
export type { InspectedOutput, InspectedSpend, Inspection, Place } from '../shielded/pczt/inspection.ts';
export type { ActionBundle, Encoding } from '../shielded/pczt/layout.ts';
export { EMPTY_SAPLING, type Pczt } from '../shielded/pczt/pczt.ts';
export { PcztRefusal, type RefusalReason } from '../shielded/pczt/refusal.ts';
export { type At, itemAt } from '../shielded/pczt/returned/at.ts';
export { type ReturnChange, sentenceOf } from '../shielded/pczt/returned/changes.ts';
export { isComplete, type Missing, missingOf } from '../shielded/pczt/returned/missing.ts';
export {
  isNothingNew,
  type Taken,
  takeReturned,
  takingReturned,
} from '../shielded/pczt/returned/returned.ts';
export {
  type BatchSignature,
  batchView,
  decodeBatchSignatures,
  decodeSignBatch,
  encodeBatchSignatures,
  encodeSignBatch,
} from '../shielded/pczt/signBatch.ts';
