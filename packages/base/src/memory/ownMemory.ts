// Memory that held secrets: bytes joined where nothing else shares them, and blocks that Node frees without clearing them.

/**
 * The parts joined in a separate allocation from the start: V8 would put a short array among its objects, and a short
 * Buffer into the shared pool, and copy it from there before a transfer. The parts themselves are not changed.
 */
export function joinApart(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(new ArrayBuffer(parts.reduce((sum, { length }) => sum + length, 0)));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/**
 * Node reads into a block of this size, copies what arrived, and frees the block without clearing it. The next
 * allocation gets that block, zeroed; where a small one took its beginning, the next one gets the rest. Where the block
 * became part of a longer one, others of its size are taken first: so several are.
 */
const READ_BUFFER_BYTES = 64 * 1024;
const MOST_IN_FRONT = 3;

/** Overwrites what the last read of a socket or pipe left in memory. */
export function overwriteReadBuffer(): void {
  const held = Array.from({ length: MOST_IN_FRONT }, () => new ArrayBuffer(READ_BUFFER_BYTES));
  for (let bytes = READ_BUFFER_BYTES; bytes >= 1024; bytes /= 2) held.push(new ArrayBuffer(bytes));
}
