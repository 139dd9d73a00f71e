// Whether the user is present. A call that needs the session counts as activity, so an unattended page that reads the
// balance at every block would keep the wallet open for ever: it stops reading, and the wallet locks itself in time.

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

  /** For a third of the auto-lock time after the last key or click; 0: the wallet never locks itself. */
  mayAsk(autoLockSeconds: number): boolean {
    return autoLockSeconds === 0 || Date.now() - this.#lastMs < (autoLockSeconds * 1000) / 3;
  }
}
