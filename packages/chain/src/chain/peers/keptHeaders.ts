// The chain of most work with its beginning and its file: the headers between two known blocks come from the first peer that
// has them, and what was judged once is on disk at the next start.

import { equalBytes } from '@wallet-companion/base/bytes';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import type { Checkpoint } from '../headers/checkpoints.ts';
import { HeaderChain, type HeaderChainParts, type HeaderChainStart } from '../headers/headerChain.ts';
import type { HeaderFile } from '../headers/headerFile.ts';
import { type Followed, followHeaders } from './followHeaders.ts';
import type { ReceivedHeader } from './messages.ts';
import type { PeerConnection } from './peerConnection.ts';

export interface KeptHeadersParts extends Pick<HeaderChainParts, 'rules' | 'solves' | 'now'> {
  readonly start: Checkpoint | HeaderChainStart;
  /** A file that begins above the start is of no use. */
  readonly isWhole?: boolean;
  /** Undefined where nothing is kept. */
  readonly file: HeaderFile | undefined;
  /** The file could not be written; headers are then only in memory. */
  readonly failed: (error: unknown) => void;
}

type Peer = Pick<PeerConnection, 'headers'>;

export class KeptHeaders {
  readonly #parts: KeptHeadersParts;
  #chain: HeaderChain | undefined;
  #file: HeaderFile | undefined;

  constructor(parts: KeptHeadersParts) {
    const { start, file } = parts;
    this.#parts = parts;
    this.#file = file;
    const kept = this.#kept();
    if (kept !== undefined) this.#chain = this.#chainFrom(kept);
    else if ('headers' in start) this.#begin(start);
  }

  /** Undefined until a peer has shown its beginning. */
  get chain(): HeaderChain | undefined {
    return this.#chain;
  }

  /** Brings the chain up to what a peer shows. Rejects with `PeerError`. */
  async follow(peer: Peer): Promise<Followed> {
    const { start } = this.#parts;
    if (this.#chain === undefined) {
      const begun = await beginning(start as Checkpoint, peer);
      if ('kind' in begun) return begun;
      // Another peer may have been faster.
      if (this.#chain === undefined) this.#begin(begun);
    }
    const chain = this.#chain!;
    return followHeaders(chain, peer, ({ changedFrom }) => {
      if (changedFrom !== undefined)
        this.#write((file) => file.replace(changedFrom, chain.rowsFrom(changedFrom)));
    });
  }

  close(): void {
    this.#write((file) => file.close());
    this.#file = undefined;
  }

  #kept(): HeaderChainStart | undefined {
    const { start, isWhole = false } = this.#parts;
    let kept: HeaderChainStart | undefined;
    this.#write((file) => {
      kept = file.read();
    });
    if (kept === undefined || 'headers' in start) return kept;
    const { height, hash } = start.at;
    if (isWhole && kept.height > height) return undefined;
    const there = kept.headers[height - kept.height];
    // The file of an earlier version may end below; it goes on by work, through the known block.
    return there === undefined || equalBytes(there.hash, hash) ? kept : undefined;
  }

  #begin(start: HeaderChainStart): void {
    const chain = this.#chainFrom(start);
    this.#chain = chain;
    this.#write((file) => file.begin(chain.start, chain.trusted, chain.rowsFrom(chain.start)));
  }

  #chainFrom(from: HeaderChainStart): HeaderChain {
    const { rules, solves, now, start } = this.#parts;
    const checkpoints = 'at' in start ? { checkpoints: new Map([[start.at.height, start.at.hash]]) } : {};
    return new HeaderChain({ rules, solves, now, start: from, ...checkpoints });
  }

  #write(work: (file: HeaderFile) => void): void {
    if (this.#file === undefined) return;
    try {
      work(this.#file);
    } catch (error) {
      this.#file = undefined;
      this.#parts.failed(error);
    }
  }
}

/** The headers from above the lower known block to the upper one, held back until they end there. Rejects with `PeerError`. */
async function beginning({ below, at }: Checkpoint, peer: Peer): Promise<HeaderChainStart | Followed> {
  const headers: ReceivedHeader['header'][] = [];
  const count = at.height - below.height;
  let last: BlockHash = below.hash;
  while (headers.length < count) {
    const answer = await peer.headers([last]);
    // It does not have the known block yet.
    const isBehind =
      answer.length === 0 || (headers.length === 0 && !equalBytes(answer[0]!.header.prevHash, last));
    if (isBehind) return { kind: 'followed', tip: undefined, fresh: 0 };
    for (const { header } of answer) {
      if (!equalBytes(header.prevHash, last)) return { kind: 'lied', why: 'unlinked', fresh: 0 };
      headers.push(header);
      last = header.hash;
    }
  }
  if (!equalBytes(headers[count - 1]!.hash, at.hash)) return { kind: 'lied', why: 'checkpoint', fresh: 0 };
  return { height: below.height + 1, headers: headers.slice(0, count) };
}
