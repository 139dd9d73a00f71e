// Memory that held secrets: base64 that leaves no copy, bytes that nothing else shares, blocks that Node frees without clearing.

export { fromBase64, toBase64 } from '../memory/base64.ts';
export { joinApart, overwriteReadBuffer } from '../memory/ownMemory.ts';
