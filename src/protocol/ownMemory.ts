// Joins bytes that may be a secret in a buffer that nothing else shares.

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
