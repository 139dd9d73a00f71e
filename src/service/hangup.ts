// SIGHUP asks for the configuration to be read again; it ends nobody. Loaded before everything else, because by default
// it would end a process that is still loading.

let hear: (() => void) | undefined;
let wasEarly = false;

process.on('SIGHUP', () => {
  if (hear === undefined) wasEarly = true;
  else hear();
});

/** One that came before is told at once. */
export function onHangup(callback: () => void): () => void {
  hear = callback;
  if (wasEarly) callback();
  wasEarly = false;
  return () => {
    hear = undefined;
  };
}
