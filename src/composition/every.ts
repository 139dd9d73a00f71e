// A timer that repeats, and the way to end it.

export function every(intervalMs: number, callback: () => void): () => void {
  const timer = setInterval(callback, intervalMs);
  return () => clearInterval(timer);
}
