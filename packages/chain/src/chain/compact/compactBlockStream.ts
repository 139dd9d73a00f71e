// Compact blocks of a range: several chunks are requested at once and delivered in order. Each block must be the
// requested one and link to the one before it. A stream that ends early continues from where it stopped.

import { setTimeout as delay } from 'node:timers/promises';
import { following, type Prefetched, prefetch } from '@wallet-companion/base/async';
import { equalBytes, FormatError } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { type CompactBlockSummary, summarizeCompactBlock } from '@wallet-companion/zcash/blocks';
import type { CompactConnection } from './compactConnection.ts';
import { badAnswer, chainMoved, compactServerError, isPassing } from './compactFailure.ts';

export interface CompactBlockMessage {
  /** One CompactBlock message, byte for byte as it was received. */
  readonly bytes: Uint8Array;
  readonly summary: CompactBlockSummary;
}

export interface CompactStreamLimits {
  /** Blocks of one call: a piece of a scan, and few enough that a call ends well before its deadline on a slow line. */
  readonly chunkBlocks: number;
  /** Calls at once. Servers allow some 20 streams a connection; more than a few gain nothing. */
  readonly chunksAtOnce: number;
  /** Bytes that one chunk may run ahead of the consumer. */
  readonly chunkBytesAhead: number;
  /** Waits before the next try after a temporary failure; more failures than this without a block end it. */
  readonly retryDelaysMs: readonly number[];
  /** Waits before a range is planned again because the chain changed during it. */
  readonly movedDelaysMs: readonly number[];
}

export const COMPACT_STREAM_LIMITS: CompactStreamLimits = {
  chunkBlocks: 256,
  chunksAtOnce: 3,
  chunkBytesAhead: 8 * 2 ** 20,
  // Together longer than the two seconds for which lightwalletd's cache may hold the old branch.
  retryDelaysMs: [250, 750, 2000],
  movedDelaysMs: [500, 2000],
};

/** Inclusive, ascending. Errors: `COMPACT_SERVER_*`, `UPSTREAM_TIMEOUT`; `ChainMoved` where two blocks do not link. */
export async function* compactBlocks(
  client: CompactConnection,
  range: { readonly start: Height; readonly end: Height },
  signal: AbortSignal,
  limits: CompactStreamLimits = COMPACT_STREAM_LIMITS,
): AsyncGenerator<CompactBlockMessage, void, void> {
  // Not `mapInOrder`: these are open streams, the one being read among them, and this function must close them.
  const open: Prefetched<CompactBlockMessage>[] = [];
  let nextStart = range.start;
  let previous: CompactBlockSummary | undefined;
  try {
    while (nextStart <= range.end || open.length > 0) {
      while (nextStart <= range.end && open.length < limits.chunksAtOnce) {
        const start = nextStart;
        const end = Math.min(range.end, start + limits.chunkBlocks - 1);
        open.push(openChunk(client, start, end, signal, limits));
        nextStart = end + 1;
      }
      const chunk = open[0]!;
      for (let message = await chunk.next(); message !== null; message = await chunk.next()) {
        // Within a chunk the links were checked already; this is the link between two chunks.
        checkLink(client.host, previous, message.summary);
        previous = message.summary;
        yield message;
      }
      open.shift()?.close();
    }
  } catch (error) {
    throw compactServerError(client.host, error);
  } finally {
    for (const chunk of open) chunk.close();
  }
}

function openChunk(
  client: CompactConnection,
  start: number,
  end: number,
  signal: AbortSignal,
  limits: CompactStreamLimits,
): Prefetched<CompactBlockMessage> {
  const ending = following(signal);
  return prefetch(resumedChunk(client, start, end, ending.signal, limits), {
    capacity: limits.chunkBytesAhead,
    cost: ({ bytes }) => bytes.length,
    onClose: () => {
      ending.unfollow();
      ending.abort();
    },
  });
}

async function* resumedChunk(
  client: CompactConnection,
  start: number,
  end: number,
  signal: AbortSignal,
  limits: CompactStreamLimits,
): AsyncGenerator<CompactBlockMessage, void, void> {
  let next = start;
  let failures = 0;
  let previous: CompactBlockSummary | undefined;
  while (next <= end) {
    try {
      for await (const bytes of client.blockRange(next, end, signal)) {
        const summary = summarized(client.host, bytes);
        if (next > end || summary.height !== next) throw wrongHeight(client.host, summary.height, next);
        checkLink(client.host, previous, summary);
        previous = summary;
        next++;
        failures = 0;
        yield { bytes, summary };
      }
      if (next <= end) throw new EndedEarly();
    } catch (error) {
      const wait = limits.retryDelaysMs[failures++];
      if (wait === undefined || !(isPassing(error) || error instanceof EndedEarly)) {
        throw error instanceof EndedEarly
          ? badAnswer(client.host, `ended its answer before block ${next}`)
          : error;
      }
      await delay(wait, undefined, { signal });
    }
  }
}

/** The stream ended with success and fewer blocks than requested. */
class EndedEarly extends Error {}

function summarized(host: string, bytes: Uint8Array): CompactBlockSummary {
  try {
    return summarizeCompactBlock(bytes);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw badAnswer(host, 'gave a malformed compact block');
  }
}

function wrongHeight(host: string, given: number, wanted: number): Error {
  const what = given < wanted ? 'again or in the wrong order' : 'too early or unasked';
  return badAnswer(host, `gave block ${given} ${what}: block ${wanted} was due`);
}

function checkLink(
  host: string,
  previous: CompactBlockSummary | undefined,
  block: CompactBlockSummary,
): void {
  if (previous !== undefined && !equalBytes(block.prevHash, previous.hash)) {
    throw chainMoved(host, block.height);
  }
}
