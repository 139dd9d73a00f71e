// The errors on the way to a witness, each with one text.

import type { Height } from '@wallet-companion/base/values';
import type { Source } from '@wallet-companion/chain/ports';
import { CompanionError, type ErrorCode } from '../../../protocol/errors.ts';

/** The server's data do not lead to one root. Nothing is returned then. */
export class WitnessMismatch extends CompanionError {}

const SIDES: Readonly<Record<Source, string>> = {
  node: 'the chain node',
  compact: 'the compact server',
  peers: 'peers of the network',
};

const BAD_ANSWERS: Readonly<Record<Source, ErrorCode>> = {
  node: 'NODE_BAD_RESPONSE',
  compact: 'COMPACT_SERVER_BAD_RESPONSE',
  peers: 'PEERS_BAD_RESPONSE',
};

export const badAnswerOf = (source: Source): ErrorCode => BAD_ANSWERS[source];

/** `what`: a sentence. */
export const badAnswer = (source: Source, what: string): CompanionError =>
  new CompanionError(badAnswerOf(source), what);

export const witnessMismatch = (source: Source, height: Height, why: string): WitnessMismatch =>
  new WitnessMismatch(
    'WITNESS_MISMATCH',
    `The blocks and trees of ${SIDES[source]} do not lead to one root at block ${height} (${why}), so no path was handed out. Sync again in a moment, or use another one.`,
  );

export const chainMoved = (source: Source, height: Height): CompanionError =>
  badAnswer(
    source,
    `Block ${height} is another one now than the one that was scanned. The chain may be moving: sync, then try again.`,
  );
