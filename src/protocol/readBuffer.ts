// Overwrites the bytes that Node's sockets leave in memory after a read.

/**
 * Node reads into a block of this size, copies what arrived, and frees the block without clearing it. The next
 * allocation gets that block, zeroed; where a small one took its beginning, the next one gets the rest.
 */
const READ_BUFFER_BYTES = 64 * 1024;

export function overwriteReadBuffer(): void {
  const held: ArrayBuffer[] = [];
  for (let bytes = READ_BUFFER_BYTES; bytes >= 1024; bytes /= 2) held.push(new ArrayBuffer(bytes));
}
