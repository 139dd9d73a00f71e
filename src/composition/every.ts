// A repeating timer, and the function that stops it.

export function every(intervalMs: number, callback: () => void): () => void {
  const timer = setInterval(callback, intervalMs);
  return () => clearInterval(timer);
}
