// What Node's sockets leave behind of bytes that were read.

/**
 * Node reads into a block of this size, copies what came, and frees the block as it is. What is allocated next gets it,
 * zeroed; where something small took its beginning, the rest.
 */
const READ_BUFFER_BYTES = 64 * 1024;

export function overwriteReadBuffer(): void {
  const held: ArrayBuffer[] = [];
  for (let bytes = READ_BUFFER_BYTES; bytes >= 1024; bytes /= 2) held.push(new ArrayBuffer(bytes));
}
