// Changes of notes since a cursor.

import { setImmediate as otherWork } from 'node:timers/promises';
import { blake2b } from '@noble/hashes/blake2.js';
import { concatBytes, equalBytes } from '@wallet-companion/base/bytes';
import { blockTimeText } from '@wallet-companion/base/values';
import { noteKey } from '@wallet-companion/zcash/identifiers';
import { badField, CompanionError } from '../../../protocol/errors.ts';
import type { FeatureHandlers, HandlerContext, Input, Output } from '../../../protocol/operations.ts';
import { memoView } from '../noteViews/receivedView.ts';
import type { JournalPlace, NumberedEntry } from '../ports/journal.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import type { WalletContext } from '../wallet/walletContext.ts';

export const changesHandlers = ({ sessions }: WalletContext): FeatureHandlers<'changes'> => ({
  'changes.list': (input, caller) => {
    const since = decodeSince(input.since);
    return changesView(sessions, since, input, caller);
  },
});

// A cursor is a place in the journal of one wallet. Its proof shows that everything
// before it is in this journal, so a cursor of another journal is never accepted.

const DEFAULT_PAGE = 100;
const VERSION = 1;
const ID_SIZE = 8;
const PROOF_SIZE = 16;
const CHECK_SIZE = 4;
/** version 1 | journal 8 | sequence 8 | proof 16 */
const BODY_SIZE = 1 + ID_SIZE + 8 + PROOF_SIZE;

interface Cursor {
  readonly id: Uint8Array;
  readonly place: JournalPlace;
}

const checkOf = (body: Uint8Array): Uint8Array => blake2b(body, { dkLen: CHECK_SIZE });

function encodeCursor({ id, place }: Cursor): string {
  const sequence = new Uint8Array(8);
  new DataView(sequence.buffer).setFloat64(0, place.sequence);
  const body = concatBytes(Uint8Array.of(VERSION), id, sequence, place.proof);
  return Buffer.from(concatBytes(body, checkOf(body))).toString('base64url');
}

/** Bad input is reported before the state of the wallet: call it before asking for a session. Throws `INVALID_REQUEST`. */
function decodeSince(since: string | undefined): Cursor | 'now' | undefined {
  if (since === undefined || since === 'now') return since;
  const bytes = new Uint8Array(Buffer.from(since, 'base64url'));
  const body = bytes.subarray(0, BODY_SIZE);
  const isOurs =
    bytes.length === BODY_SIZE + CHECK_SIZE &&
    Buffer.from(bytes).toString('base64url') === since &&
    bytes[0] === VERSION &&
    equalBytes(checkOf(body), bytes.subarray(BODY_SIZE));
  const sequence = isOurs ? new DataView(body.buffer).getFloat64(1 + ID_SIZE) : Number.NaN;
  if (!Number.isSafeInteger(sequence) || sequence < 0) {
    throw badField(
      'since',
      'is not the `next_cursor` of an answer before',
      'since is not a cursor that a companion gave out.',
    );
  }
  return {
    id: body.slice(1, 1 + ID_SIZE),
    place: { sequence, proof: body.slice(1 + ID_SIZE + 8) },
  };
}

const unknown = (why: string): CompanionError =>
  new CompanionError(
    'CURSOR_UNKNOWN',
    `${why} Nothing can be told since then: read from the beginning, without since, and keep the books anew.`,
  );

async function changesView(
  sessions: Sessions,
  since: Cursor | 'now' | undefined,
  { limit = DEFAULT_PAGE }: Input<'changes.list'>,
  caller: Pick<HandlerContext, 'byService'>,
): Promise<Output<'changes.list'>> {
  const session = sessions.read(caller);
  const page = session.noteStore.readJournal(since === 'now' ? 'end' : since?.place, limit);
  // The place in a cursor of another wallet is unknown here, too; the error that names the wallet is more helpful.
  if (page === 'dropped') throw unknown('The cursor is older than the changes that are kept.');
  if (page === 'unknown' || (typeof since === 'object' && !equalBytes(page.id, since.id))) {
    throw unknown(
      'The cursor is of another wallet, of a note store that was lost, or newer than the copy of it that was put back.',
    );
  }
  const changes: Output<'changes.list'>['changes'][number][] = [];
  for (const entry of page.entries) {
    // Deriving an address that is not known yet takes milliseconds.
    if (!session.knowsAddress(entry)) await otherWork();
    // Its keys are already wiped then.
    if (sessions.current !== session)
      throw new CompanionError('WALLET_LOCKED', 'The wallet was locked meanwhile. Unlock it and ask again.');
    changes.push(changeView(session, entry));
  }
  return {
    changes,
    next_cursor: encodeCursor({ id: page.id, place: page.next }),
    has_more: page.hasMore,
    earlier_dropped: since === undefined && page.oldest > 1,
  };
}

function changeView(session: Session, entry: NumberedEntry): Output<'changes.list'>['changes'][number] {
  const stored = session.noteStore.note(noteKey(entry));
  const moved = session.noteStore.transaction(entry.spentBy ?? entry.txid);
  // Mined again elsewhere, it is another change.
  const transaction = moved?.height === entry.height ? moved : undefined;
  return {
    sequence: entry.sequence,
    kind: entry.kind,
    reverses: entry.reverses,
    account: entry.account,
    pool: entry.pool,
    scope: entry.scope,
    txid: entry.txid,
    output_index: entry.outputIndex,
    value_zatoshi: entry.value,
    time: transaction === undefined ? null : blockTimeText(transaction.time),
    height: entry.height,
    block_hash: entry.blockHash,
    verified_with: session.noteStore.verifiedAt(entry.height),
    spent_by: entry.spentBy,
    fee_zatoshi: transaction?.fee ?? null,
    diversifier_index: entry.diversifierIndex,
    address: session.addressOf(entry),
    label: session.labelOf(entry),
    memo: memoView(stored?.memo ?? null),
  };
}
