// Whether the user is present. A call that needs the session counts as activity, so an unattended page that reads the
// balance at every block would keep the wallet open for ever: it stops reading, and the wallet locks itself in time.

/** The part of the auto-lock time for which a page keeps reading after the last key or click. */
const PART = 1 / 3;

export class Presence {
  #lastMs = Date.now();

  /** `back` is called at each input. */
  constructor(back: () => void) {
    const seen = () => {
      this.#lastMs = Date.now();
      back();
    };
    for (const kind of ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchstart'])
      addEventListener(kind, seen, { passive: true, capture: true });
  }

  /** `autoLockSeconds` is 0 for a wallet that never locks itself. */
  mayAsk(autoLockSeconds: number): boolean {
    return autoLockSeconds === 0 || Date.now() - this.#lastMs < autoLockSeconds * 1000 * PART;
  }
}
