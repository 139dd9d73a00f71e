// SIGHUP requests that the configuration is read again; it ends no process. Loaded before everything else, because by
// default SIGHUP would end a process that is still loading.

let hear: (() => void) | undefined;
let wasEarly = false;

process.on('SIGHUP', () => {
  if (hear === undefined) wasEarly = true;
  else hear();
});

/** A signal that arrived earlier is reported at once. */
export function onHangup(callback: () => void): () => void {
  hear = callback;
  if (wasEarly) callback();
  wasEarly = false;
  return () => {
    hear = undefined;
  };
}
