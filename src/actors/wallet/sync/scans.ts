// Runs scans and keeps the result of the last one.

import { type Height, timeText, timeTextOrNull } from '@wallet-companion/base/values';
import type { Source } from '@wallet-companion/chain/ports';
import { badField, toErrorRecord } from '../../../protocol/errors.ts';
import { VERIFIES_COMPACT } from '../../../protocol/operations/sync.ts';
import type { Output } from '../../../protocol/operations.ts';
import { scanReach } from '../noteViews/scanReach.ts';
import type { HeightRange } from '../ports/noteDatabase.ts';
import type { LastScan, WalletEnvironment } from '../ports/walletEnvironment.ts';
import { lowerBirthdays } from '../session/searchFurther.ts';
import type { Session } from '../session/session.ts';
import type { SessionContext, Sessions } from '../session/sessions.ts';
import { blockSource, rememberedSource, verifyingSource } from '../source/blockSource.ts';
import { accountCoverage, notLookedAt } from './accountCoverage.ts';
import { AccountSearching } from './accountSearching.ts';
import { AfterCommit, type UnminedListener } from './afterCommit.ts';
import { WorkPace } from './requestWork.ts';
import type { ScanHeight } from './scanHeight.ts';
import { type ScanTurn, ScanTurns, type TurnKind } from './scanTurn.ts';
import { WorkLeft } from './scanWork.ts';
import { type SourcedRequest, type SyncRequest, SyncRun } from './syncRun.ts';

const NO_SCAN: LastScan = { chainTip: null, finishedAt: null, newBlockAt: null, failure: null };

export interface SyncContext extends SessionContext {
  readonly scans: Scans;
  readonly configuration: {
    readonly current: () => Pick<Output<'config.get'>, 'last_scan_height' | 'birthday_height'>;
  };
}

export class Scans {
  readonly turns = new ScanTurns();
  readonly #pace = new WorkPace();
  readonly #environment: WalletEnvironment;
  readonly #scanHeight: ScanHeight;
  readonly #sessions: Sessions;
  readonly #unmined: UnminedListener;
  #chainTip: LastScan['chainTip'];
  #contradicted: Output<'sync.status'>['contradicted'] = null;
  #finishedAt: LastScan['finishedAt'];
  #newBlockAt: LastScan['newBlockAt'];
  #failure: LastScan['failure'];

  constructor(
    environment: WalletEnvironment,
    scanHeight: ScanHeight,
    sessions: Sessions,
    unmined: UnminedListener = { scanned: () => undefined, rewound: () => undefined },
  ) {
    this.#unmined = unmined;
    this.#environment = environment;
    this.#scanHeight = scanHeight;
    this.#sessions = sessions;
    const { chainTip, finishedAt, newBlockAt, failure } = environment.carried?.lastScan ?? NO_SCAN;
    this.#chainTip = chainTip;
    this.#finishedAt = finishedAt;
    this.#newBlockAt = newBlockAt;
    this.#failure = failure;
  }

  get lastScan(): LastScan {
    return {
      chainTip: this.#chainTip,
      finishedAt: this.#finishedAt,
      newBlockAt: this.#newBlockAt,
      failure: this.#failure,
    };
  }

  /** One request. `lastScanHeight` is called when it fails. */
  async run(
    turn: ScanTurn,
    input: SyncRequest,
    openSession: () => Session | Promise<Session>,
    lastScanHeight: () => number,
  ): Promise<Output<'sync.run'>> {
    const { clock, emit } = this.#environment;
    // A call that is refused here has begun no scan: it causes no event and counts as no activity.
    const session = await openSession();
    const heightBefore = session.noteStore.lastScanHeight;
    const listener = this.#afterCommit(session, turn.kind);
    const source = await sourceOf(this.#environment, input);
    const run = new SyncRun(this.#environment, session, { ...input, source }, listener, this.#pace);
    turn.started(run);
    try {
      const done = await run.run();
      const contradicted = await this.#settle(run, turn, session);
      const summary = { ...done, complete: scanReach(session.noteStore).complete, contradicted };
      this.#finishedAt = clock.now();
      this.#failure = null;
      const isNews = turn.kind === 'requested' || summary.blocks_scanned > 0 || summary.reorg !== null;
      if (isNews) emit({ event: 'sync.finished', data: { ok: true, summary } });
      return summary;
    } catch (thrown) {
      const error = toErrorRecord(thrown);
      // The event has the code alone; the cause, such as a full disk, goes into the log.
      if (error.code === 'STORAGE_FAILED' && this.#failure?.error.code !== error.code)
        this.#environment.logFault('sync.run', thrown);
      this.#finishedAt = clock.now();
      this.#failure = { error, at: this.#finishedAt };
      emit({
        event: 'sync.finished',
        data: { ok: false, code: error.code, last_scan_height: lastScanHeight() },
      });
      throw thrown;
    } finally {
      this.#chainTip = run.chainTip ?? this.#chainTip;
      if (session.noteStore.lastScanHeight > heightBefore) this.#newBlockAt = clock.now();
      this.#countActivity(turn.kind);
    }
  }

  /** Reads what a full block denied in full, and reports where a compact server and full blocks say different things. */
  async #settle(run: SyncRun, turn: ScanTurn, session: Session): Promise<Output<'sync.run'>['contradicted']> {
    const heights = new Set(run.contradicted);
    for (const height of run.denied) {
      const again = this.#fullRun(turn, session, { start: height, end: height });
      try {
        await again.run();
      } catch (error) {
        this.#environment.logFault('sync.read_again', error);
        break;
      }
      for (const one of again.contradicted) heights.add(one);
    }
    return this.#reportContradicted(heights);
  }

  /** Scanned blocks once more from the node, or from peers where these verify, which does not move the chain. */
  #fullRun(turn: ScanTurn, session: Session, { start, end }: HeightRange): SyncRun {
    const range = { start_height: start, end_height: end, keepsChain: true } as const;
    const { configFile } = this.#environment;
    const isByWork = verifyingSource(configFile) === 'work';
    // Peers that are the source themselves are asked without a compact server.
    const byWork =
      rememberedSource(configFile.get()) === 'peers'
        ? ({ source: 'peers' } as const)
        : ({ source: 'compact', byWork: true } as const);
    const request: SourcedRequest = { ...range, ...(isByWork ? byWork : { source: 'node' as const }) };
    const listener = this.#afterCommit(session, turn.kind);
    const run = new SyncRun(this.#environment, session, request, listener, this.#pace);
    turn.started(run);
    return run;
  }

  #reportContradicted(heights: ReadonlySet<Height>): Output<'sync.run'>['contradicted'] {
    if (heights.size === 0) return null;
    const [start_height, end_height] = [Math.min(...heights), Math.max(...heights)];
    const { compact_server_url } = this.#environment.configFile.get();
    const contradicted = { start_height, end_height, blocks: heights.size, compact_server_url };
    this.#contradicted = contradicted;
    this.#environment.emit({ event: 'blocks.contradicted', data: contradicted });
    return contradicted;
  }

  /** For follow mode: what was the last scan, and the tip that it saw, stay so. */
  async check(turn: ScanTurn, session: Session, range: HeightRange): Promise<void> {
    const run = this.#fullRun(turn, session, range);
    let contradicted: Output<'sync.run'>['contradicted'] = null;
    const done = await run.run().finally(() => {
      contradicted = this.#reportContradicted(run.contradicted);
    });
    if (done.blocks_scanned === 0) return;
    this.#environment.emit({
      event: 'sync.finished',
      data: { ok: true, summary: { ...done, contradicted } },
    });
  }

  /** Scans blocks of the open wallet once more, from the node, when nothing else scans. */
  async readAgain({ start, end }: HeightRange): Promise<void> {
    for (let { current } = this.turns; current !== undefined && !current.givesWay; { current } = this.turns)
      await current.ended;
    const request = { source: 'node', start_height: start, end_height: end } as const;
    const open = () => this.#sessions.use();
    await this.turns.during('requested', (turn) =>
      this.run(turn, request, open, () => this.#sessions.current?.noteStore.lastScanHeight ?? start - 1),
    );
  }

  status(lastScanHeight: Height): Output<'sync.status'> {
    const finishedAt = this.#finishedAt;
    const failure = this.#failure;
    const { isScanning, current } = this.turns;
    const session = this.#sessions.current;
    const words = session && notLookedAt(session.noteStore, session.header.network);
    const seenNow = current?.kind === 'check' ? undefined : current?.run?.chainTip;
    const chainTip = seenNow ?? this.#chainTip;
    const progress = isScanning ? (current?.run?.progress ?? null) : null;
    const isKnown = progress === null && session !== undefined && chainTip !== null;
    const work = isKnown ? workTo(session, chainTip) : undefined;
    return {
      syncing: isScanning,
      progress,
      last_scan_height: lastScanHeight,
      complete: session === undefined ? null : scanReach(session.noteStore).complete,
      chain_tip: chainTip,
      work_done: progress?.work_done ?? work?.done ?? null,
      work_total: progress?.work_total ?? work?.total ?? null,
      accounts_searched: session?.noteStore.accountsSearched ?? null,
      shared_accounts: [...(session?.sharedAccounts ?? [])],
      ...(words === undefined ? {} : { not_looked_at: words }),
      contradicted: this.#contradicted,
      last_finished_at: timeTextOrNull(finishedAt),
      last_error:
        failure === null
          ? null
          : {
              code: failure.error.code,
              detail: failure.error.detail,
              at: timeText(failure.at),
            },
    };
  }

  coverage(session: Session, account: number | undefined): Output<'coverage.get'> {
    const { noteStore, header } = session;
    const chosen = account === undefined ? session.accounts : [session.account(account)];
    const accounts = chosen.map((one) => accountCoverage(noteStore, header.network, one));
    const isComplete = account === undefined ? scanReach(noteStore).complete : accounts[0]!.complete;
    const isFinished = this.#failure === null && isComplete;
    return {
      accounts,
      finished_at: isFinished ? timeTextOrNull(this.#finishedAt) : null,
    };
  }

  /**
   * No scan may use the old keys, or a note store that is being changed. `NO_WALLET` and `WALLET_LOCKED` come first.
   */
  between<T>(change: () => T | Promise<T>): Promise<T> {
    this.#sessions.use();
    return this.turns.during('change', change);
  }

  /** Forgets what was scanned, from a height up or all of it. No scan may run meanwhile. */
  async rescan(session: Session, fromHeight: Height | undefined): Promise<void> {
    const { noteStore, scanKeys } = session;
    if (fromHeight === undefined) noteStore.restart();
    else noteStore.forget(Math.max(scanKeys.heights.sapling, fromHeight));
    this.#lowerBirthdays(session);
    await this.#afterCommit(session, 'change').rescanned();
  }

  /** Writing is not awaited: a turn may hold up the change of state before this one. */
  #lowerBirthdays(session: Session): void {
    const write = lowerBirthdays(this.#environment, session);
    if (write === undefined) return;
    const ifOpen = async () => (this.#sessions.current === session ? write() : undefined);
    void this.#sessions.exclusive(ifOpen);
  }

  #afterCommit(session: Session, kind: TurnKind): AfterCommit {
    const onCommit = () => {
      this.#lowerBirthdays(session);
      this.#countActivity(kind);
    };
    const searching = new AccountSearching(this.#environment, this.#sessions);
    return new AfterCommit(
      this.#environment,
      this.#scanHeight,
      session,
      onCommit,
      this.#unmined,
      searching,
      kind !== 'check',
    );
  }

  /** Only a caller's request counts as activity. */
  #countActivity(kind: TurnKind): void {
    if (kind === 'requested' && this.#sessions.current !== undefined) this.#sessions.touch();
  }
}

/** A node that is named for this call is asked, whatever is remembered. */
async function sourceOf(
  environment: WalletEnvironment,
  { source, node_url, verify_with }: SyncRequest,
): Promise<Source> {
  const chosen = await blockSource(environment, source ?? (node_url === undefined ? undefined : 'node'));
  if (verify_with !== undefined && chosen === 'node') throw badField('verify_with', VERIFIES_COMPACT);
  return chosen;
}

const workTo = ({ noteStore, scanKeys }: Session, tip: Height) =>
  new WorkLeft(noteStore, scanKeys.heights, tip).now;
