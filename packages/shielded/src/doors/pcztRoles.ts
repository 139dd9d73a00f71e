// The PCZT roles between creation and the final transaction.

export { combinePczts } from '../shielded/pczt/combiner.ts';
export { finalizeIo } from '../shielded/pczt/ioFinalizer.ts';
export { ALL_MODIFIABLE } from '../shielded/pczt/modifiable.ts';
export {
  anchoredPools,
  mayReanchor,
  type NewAnchors,
  reanchor,
  reanchoring,
  withoutAnchors,
} from '../shielded/pczt/reanchor.ts';
export { redactPczt, type View } from '../shielded/pczt/redactor.ts';
export { withoutProofs } from '../shielded/pczt/returned/pieces.ts';
export { extractPczt, ioCryptography } from '../shielded/pczt/signatures.ts';
export { finalizeSpends } from '../shielded/pczt/spendFinalizer.ts';
export { effectsOfPczt } from '../shielded/pczt/transactionParts.ts';
export { clearAnchor, setAnchor, updateOutput, updateSpend } from '../shielded/pczt/updater.ts';
