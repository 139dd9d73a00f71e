// Unspent outputs at addresses, from both kinds of server: in pieces, by height and, where an answer is too long all the
// same, address by address.

import { txIdToHex } from '@wallet-companion/zcash/identifiers';
import type { UnspentOutput } from '../ports/types.ts';
import { AnswerTooLarge } from './callFailures.ts';

/** A miner's wallet has thousands, and one transaction takes few of them. */
const MOST_OUTPUTS = 5_000;
/** Half a megabyte as JSON. */
const PER_PIECE = 2_000;
/** More are found once some of these are spent. */
const MOST_PIECES = 64;

export const NO_ADDRESS_INDEX =
  'has no index of transparent addresses, or does not list so much; use another server';
export const NO_PIECES =
  'lists the unspent outputs at an address in one answer, which is longer than this program reads; use a server that lists them in pieces (maxEntries)';

export interface OutputsQuery {
  readonly addresses: readonly string[];
  readonly startHeight: number;
  /** Servers may ignore it. */
  readonly maxEntries: number;
}

/** `null`: refused. Throws `AnswerTooLarge`. */
type Ask = (query: OutputsQuery) => Promise<readonly UnspentOutput[] | null>;

/** The most valuable ones first; null where the server refuses to list any. `AnswerTooLarge`: even at one address. */
export async function collectOutputs(
  addresses: readonly string[],
  ask: Ask,
): Promise<readonly UnspentOutput[] | null> {
  try {
    return await inPieces(addresses, ask);
  } catch (error) {
    if (!(error instanceof AnswerTooLarge) || addresses.length <= 1) throw error;
  }
  let outputs: readonly UnspentOutput[] = [];
  for (const address of addresses) {
    const more = await inPieces([address], ask);
    if (more === null) return null;
    outputs = mostValuable([...outputs, ...more]);
  }
  return outputs;
}

async function inPieces(addresses: readonly string[], ask: Ask): Promise<readonly UnspentOutput[] | null> {
  const found = new Map<string, UnspentOutput>();
  let startHeight = 0;
  for (let piece = 0; piece < MOST_PIECES; piece++) {
    const outputs = await ask({ addresses, startHeight, maxEntries: PER_PIECE });
    if (outputs === null && piece === 0) return null;
    if (outputs === null) break;
    for (const one of outputs) found.set(`${txIdToHex(one.txid)}:${one.index}`, one);
    // A server that ignores the limit has sent all.
    if (outputs.length !== PER_PIECE) break;
    const top = outputs.reduce((highest, { height }) => Math.max(highest, height), 0);
    // A server that ignores the height has no more to send.
    if (top < startHeight) break;
    startHeight = top > startHeight ? top : top + 1;
  }
  return mostValuable([...found.values()]);
}

const mostValuable = (outputs: readonly UnspentOutput[]): UnspentOutput[] =>
  outputs.toSorted((a, b) => b.zatoshi - a.zatoshi).slice(0, MOST_OUTPUTS);
