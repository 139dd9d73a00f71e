// Bytes that may be a secret, put together where nothing else lies.

/**
 * The parts one after the other, in memory of its own from the start: a short array would lie among V8's objects, and a
 * short Buffer in a pool that all share, from where they would be copied out to be moved. The parts stay as they are.
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
