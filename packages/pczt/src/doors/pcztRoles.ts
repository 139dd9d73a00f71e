// The PCZT roles between creation and the final transaction.

export { combinePczts } from '../pczt/combiner.ts';
export { mayCrossAddresses } from '../pczt/crossAddress.ts';
export { finalizeIo } from '../pczt/ioFinalizer.ts';
export { ALL_MODIFIABLE } from '../pczt/modifiable.ts';
export {
  anchoredPools,
  mayReanchor,
  type NewAnchors,
  reanchor,
  reanchoring,
  withoutAnchors,
} from '../pczt/reanchor.ts';
export { redactPczt, type View } from '../pczt/redactor.ts';
export { withoutProofs } from '../pczt/returned/pieces.ts';
export { extractPczt, ioCryptography } from '../pczt/signatures.ts';
export { finalizeSpends } from '../pczt/spendFinalizer.ts';
export { effectsOfPczt } from '../pczt/transactionParts.ts';
export { clearAnchor, setAnchor, updateOutput, updateSpend } from '../pczt/updater.ts';
