// The clock of components that count seconds.

import { useEffect, useState } from 'preact/hooks';

const SECOND_MS = 1_000;

/** The time in milliseconds; what shows it is drawn again each second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
