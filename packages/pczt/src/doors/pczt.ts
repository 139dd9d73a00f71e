// PCZTs (ZIP 374): reads, writes and explains them, and compares a returned PCZT with the one that was sent.

export {
  type BareProofKey,
  type BareSignature,
  withBareProofKeys,
  withBareSignatures,
  withoutUsedProofKeys,
} from '../pczt/bareSignatures.ts';
export { decodePczt, encodePczt, oldestEncoding } from '../pczt/codec.ts';
export { inspectingPczt, inspectPczt } from '../pczt/inspect.ts';
export type { InspectedOutput, InspectedSpend, Inspection, Place } from '../pczt/inspection.ts';
export type { ActionBundle, Encoding } from '../pczt/layout.ts';
export { EMPTY_SAPLING, type Pczt } from '../pczt/pczt.ts';
export { PcztRefusal, type RefusalReason } from '../pczt/refusal.ts';
export { type At, itemAt } from '../pczt/returned/at.ts';
export { type ReturnChange, sentenceOf } from '../pczt/returned/changes.ts';
export { isComplete, type Missing, missingOf } from '../pczt/returned/missing.ts';
export {
  isNothingNew,
  type Taken,
  takeReturned,
  takingReturned,
} from '../pczt/returned/returned.ts';
export {
  type BatchSignature,
  batchView,
  decodeBatchSignatures,
  decodeSignBatch,
  encodeBatchSignatures,
  encodeSignBatch,
} from '../pczt/signBatch.ts';
