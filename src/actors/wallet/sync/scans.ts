// Runs scans and tells of them: progress and findings as events, and how the last one ended.

import { toErrorRecord } from '../../../protocol/errors.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import type { StoredNote } from '../ports/storage.ts';
import type { LastScan, WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from '../session/session.ts';
import type { ScanHeight } from './scanHeight.ts';
import { type ScanTurn, ScanTurns } from './scanTurn.ts';
import { SyncRun } from './syncRun.ts';

export class Scans {
  readonly turns = new ScanTurns();
  readonly #environment: WalletEnvironment;
  readonly #scanHeight: ScanHeight;
  readonly #activity: () => void;
  #chainTip: LastScan['chainTip'];
  #finishedAt: LastScan['finishedAt'];
  #failure: LastScan['failure'];

  /** `activity`: a scan that was requested goes on; follow scans are none. */
  constructor(environment: WalletEnvironment, scanHeight: ScanHeight, activity: () => void) {
    this.#environment = environment;
    this.#scanHeight = scanHeight;
    this.#activity = activity;
    const { chainTip = null, finishedAt = null, failure = null } = environment.carried?.lastScan ?? {};
    this.#chainTip = chainTip;
    this.#finishedAt = finishedAt;
    this.#failure = failure;
  }

  get lastScan(): LastScan {
    return { chainTip: this.#chainTip, finishedAt: this.#finishedAt, failure: this.#failure };
  }

  /** One request. `lastScanHeight` is asked when it fails. */
  async run(
    turn: ScanTurn,
    input: Input<'sync.run'>,
    openSession: () => Session | Promise<Session>,
    lastScanHeight: () => number,
  ): Promise<Output<'sync.run'>> {
    const { clock, emit } = this.#environment;
    // Who is refused here has begun no scan: it is neither news to others nor activity.
    const session = await openSession();
    try {
      const run = this.#newRun(turn, session, input);
      turn.started(run);
      const summary = await run.run();
      this.#finishedAt = clock.now();
      this.#failure = null;
      const isNews = turn.kind === 'requested' || summary.blocks_scanned > 0 || summary.reorg !== null;
      if (isNews) emit({ event: 'sync.finished', data: { ok: true, summary } });
      return summary;
    } catch (thrown) {
      const error = toErrorRecord(thrown);
      this.#finishedAt = clock.now();
      this.#failure = { error, at: this.#finishedAt };
      emit({
        event: 'sync.finished',
        data: { ok: false, code: error.code, last_scan_height: lastScanHeight() },
      });
      throw thrown;
    } finally {
      if (turn.kind === 'requested') this.#activity();
    }
  }

  status(lastScanHeight: number): Output<'sync.status'> {
    const finishedAt = this.#finishedAt;
    const failure = this.#failure;
    const { isScanning, current } = this.turns;
    return {
      syncing: isScanning,
      progress: isScanning ? (current?.run?.progress ?? null) : null,
      last_scan_height: lastScanHeight,
      chain_tip: this.#chainTip,
      last_finished_at: finishedAt === null ? null : new Date(finishedAt).toISOString(),
      last_error:
        failure === null
          ? null
          : {
              code: failure.error.code,
              detail: failure.error.detail,
              at: new Date(failure.at).toISOString(),
            },
    };
  }

  #newRun(turn: ScanTurn, session: Session, input: Input<'sync.run'>): SyncRun {
    const run: SyncRun = new SyncRun(this.#environment, session, input, {
      committed: async (received, spent) => {
        if (turn.kind === 'requested') this.#activity();
        // It is committed, whatever becomes of config.json.
        this.#tellFindings(received, spent);
        await this.#scanHeight.export(session);
        if (run.progress !== null) this.#environment.emit({ event: 'sync.progress', data: run.progress });
      },
      rewound: async (fork_height, depth) => {
        this.#environment.emit({ event: 'reorg', data: { fork_height, depth } });
        await this.#scanHeight.export(session);
      },
      sawTip: (height) => {
        this.#chainTip = height;
      },
    });
    return run;
  }

  #tellFindings(received: readonly StoredNote[], spent: readonly StoredNote[]): void {
    const { emit } = this.#environment;
    for (const { account, pool, height, txid, outputIndex, value } of received) {
      emit({
        event: 'note.received',
        data: { account, pool, height, txid, output_index: outputIndex, value_zatoshi: value },
      });
    }
    for (const { account, pool, spent: spend, value } of spent) {
      if (spend === null) continue;
      emit({
        event: 'note.spent',
        data: { account, pool, height: spend.height, txid: spend.txid, value_zatoshi: value },
      });
    }
  }
}
