// Memory that held secrets: base64 and JSON that leave no copy, bytes that nothing else shares, blocks that Node frees without
// clearing.

export { fromBase64, toBase64 } from '../memory/base64.ts';
export { cutStrings, elementsOf, memberOf, memberValue, stringMember } from '../memory/jsonBytes.ts';
export { joinApart, overwriteReadBuffer } from '../memory/ownMemory.ts';
