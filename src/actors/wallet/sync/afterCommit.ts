// What follows a change of the note store by a scan, a reorganisation or a rescan. The change is committed then,
// also if config.json cannot be written: findings are reported first.

import type { Height } from '@wallet-companion/base/values';
import type { ScannedBlock } from '@wallet-companion/zcash/scan';
import type { EventBody } from '../../../protocol/events.ts';
import type { AppliedBlocks } from '../noteStore/noteStore.ts';
import { memoView } from '../noteViews/receivedView.ts';
import { scannedTime } from '../noteViews/views.ts';
import type { StoredNote } from '../ports/storedNote.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from '../session/session.ts';
import type { AccountSearching } from './accountSearching.ts';
import type { ScanHeight } from './scanHeight.ts';
import type { NoteStoreListener } from './syncRun.ts';

/** Deriving one takes milliseconds: a rescan that finds thousands does not wait for all. */
const NEW_ADDRESSES_PER_COMMIT = 16;

/** The part that knows unmined transactions. */
export interface UnminedListener {
  scanned(session: Session, blocks: readonly ScannedBlock[], applied: AppliedBlocks): void;
  rewound(session: Session, forkHeight: Height): void;
}

export class AfterCommit implements NoteStoreListener {
  readonly #environment: WalletEnvironment;
  readonly #scanHeight: ScanHeight;
  readonly #session: Session;
  readonly #onCommit: () => void;
  readonly #unmined: UnminedListener;
  readonly #searching: AccountSearching;
  readonly #isShown: boolean;

  /** `onCommit` is called first. `isShown`: progress is an event. */
  constructor(
    environment: WalletEnvironment,
    scanHeight: ScanHeight,
    session: Session,
    onCommit: () => void,
    unmined: UnminedListener,
    searching: AccountSearching,
    isShown = true,
  ) {
    this.#environment = environment;
    this.#scanHeight = scanHeight;
    this.#session = session;
    this.#onCommit = onCommit;
    this.#unmined = unmined;
    this.#searching = searching;
    this.#isShown = isShown;
  }

  async committed(
    applied: AppliedBlocks,
    progress: EventBody<'sync.progress'>,
    blocks: readonly ScannedBlock[],
  ): Promise<void> {
    this.#onCommit();
    this.#reportFindings(applied);
    this.#unmined.scanned(this.#session, blocks, applied);
    await this.#exportScanHeight('later');
    if (this.#isShown) this.#environment.emit({ event: 'sync.progress', data: progress });
  }

  memosOpened(notes: readonly StoredNote[]): void {
    for (const { account, pool, height, txid, outputIndex, memo } of notes) {
      const data = { account, pool, height, txid, output_index: outputIndex, memo: memoView(memo) };
      this.#environment.emit({ event: 'note.memo', data });
    }
  }

  async rewound(fork_height: Height, depth: number): Promise<void> {
    this.#environment.emit({ event: 'reorg', data: { fork_height, depth } });
    this.#unmined.rewound(this.#session, fork_height);
    await this.#exportScanHeight();
  }

  accountsFound(notes: readonly StoredNote[]): Promise<boolean> {
    return this.#searching.found(this.#session, notes);
  }

  caughtUp(): Promise<void> {
    return this.#searching.caughtUp(this.#session);
  }

  async rescanned(): Promise<void> {
    await this.#exportScanHeight();
  }

  /** Does not fail without the chain thread: a new chain thread gets the value again. */
  async #exportScanHeight(when: 'now' | 'later' = 'now'): Promise<void> {
    await this.#scanHeight.export(this.#session, when);
    const { chain, logFault } = this.#environment;
    chain
      .walletScanned({
        lastScanHeight: this.#scanHeight.shown(this.#session.header),
        lastScanTime: scannedTime(this.#session.noteStore),
      })
      .catch((error: unknown) => logFault('wallet.configure_chain', error));
  }

  #reportFindings({ received, spent }: AppliedBlocks): void {
    const { emit } = this.#environment;
    let room = NEW_ADDRESSES_PER_COMMIT;
    for (const note of received) {
      const { account, pool, height, txid, outputIndex, value, diversifierIndex } = note;
      const hasAddress = this.#session.knowsAddress(note) || room-- > 0;
      emit({
        event: 'note.received',
        data: {
          account,
          pool,
          height,
          txid,
          output_index: outputIndex,
          value_zatoshi: value,
          diversifier_index: diversifierIndex,
          verified_with: this.#session.noteStore.verifiedAt(height),
          ...(hasAddress && { address: this.#session.addressOf(note) }),
          ...(note.memo !== null && { memo: memoView(note.memo) }),
        },
      });
    }
    for (const { account, pool, txid, outputIndex, spent: spend, value } of spent) {
      if (spend === null) continue;
      emit({
        event: 'note.spent',
        data: {
          account,
          pool,
          height: spend.height,
          txid: spend.txid,
          note_txid: txid,
          output_index: outputIndex,
          value_zatoshi: value,
          verified_with: this.#session.noteStore.verifiedAt(spend.height),
        },
      });
    }
  }
}
