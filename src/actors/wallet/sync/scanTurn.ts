// One scan at a time. A requested scan is refused while another one runs, but never because of one of follow
// mode: that one stops at its next commit and yields. A change of the keys or the note store takes a turn, too.

import { CompanionError } from '../../../protocol/errors.ts';
import type { SyncRun } from './syncRun.ts';

/**
 * `requested`: by a client. `follow`: new blocks, started by follow mode. `check`: scanned blocks once more, by it too. `change`: no
 * scan may run meanwhile.
 */
export type TurnKind = 'requested' | 'follow' | 'check' | 'change';

const isByFollow = (kind: TurnKind): boolean => kind === 'follow' || kind === 'check';

export class ScanTurn {
  readonly kind: TurnKind;
  /** The turn before has ended. Await it before anything else. */
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  end!: () => void;
  #run: SyncRun | undefined;
  #stopped = false;

  constructor(kind: TurnKind, ready: Promise<void>, onEnd: (turn: ScanTurn) => void) {
    this.kind = kind;
    this.ready = ready;
    this.ended = new Promise((resolve) => {
      this.end = () => {
        onEnd(this);
        resolve();
      };
    });
  }

  /** It makes room for every turn that follow mode does not take itself. */
  get givesWay(): boolean {
    return isByFollow(this.kind);
  }

  get run(): SyncRun | undefined {
    return this.#run;
  }

  started(run: SyncRun): void {
    this.#run = run;
    if (this.#stopped) run.stop();
  }

  /** Stops at the next commit; a turn that has not started its scan yet ends it right at its start. */
  stop(): void {
    this.#stopped = true;
    this.#run?.stop();
  }
}

export class ScanTurns {
  #current: ScanTurn | undefined;

  get current(): ScanTurn | undefined {
    return this.#current;
  }

  /** Whether there is a scan to show. A poll without new blocks does not count, nor what is checked once more. */
  get isScanning(): boolean {
    const { kind, run } = this.#current ?? {};
    return kind === 'requested' || (kind === 'follow' && (run?.progress?.blocks_total ?? 0) > 0);
  }

  /** Takes the turn before it returns, so that the next one is refused. Throws `SYNC_IN_PROGRESS`. */
  take(kind: TurnKind): ScanTurn {
    const before = this.#current;
    if (before !== undefined && (!before.givesWay || isByFollow(kind))) {
      throw new CompanionError(
        'SYNC_IN_PROGRESS',
        before.kind === 'change'
          ? 'Accounts, password or scanned blocks are being changed. Try again in a moment.'
          : 'A sync is running. Wait for it, or cancel it with POST /api/sync/cancel.',
      );
    }
    before?.stop();
    this.#current = new ScanTurn(kind, before?.ended ?? Promise.resolve(), (turn) => {
      if (this.#current === turn) this.#current = undefined;
    });
    return this.#current;
  }

  /** Runs `use` while nothing scans. Throws `SYNC_IN_PROGRESS`. */
  async during<T>(kind: TurnKind, use: (turn: ScanTurn) => T | Promise<T>): Promise<T> {
    const turn = this.take(kind);
    try {
      await turn.ready;
      return await use(turn);
    } finally {
      turn.end();
    }
  }

  /** Stops the running scan, and runs `use` when it has ended. */
  async afterStopping<T>(use: () => Promise<T>): Promise<T> {
    while (this.#current !== undefined) {
      this.#current.stop();
      await this.#current.ended;
    }
    return this.during('change', use);
  }
}
