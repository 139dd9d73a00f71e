// Brings a chain of headers up to what one peer shows. The chain believes none of it that was not worked for.

import { bytesToHex } from '@wallet-companion/base/bytes';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import type { HeaderChain, HeaderFault, HeadersTaken } from '../headers/headerChain.ts';
import { MOST_HEADERS } from './messages.ts';
import type { PeerConnection } from './peerConnection.ts';

export type Followed = {
  /** How many headers were new. */
  readonly fresh: number;
} & (
  | {
      /** All that it shows was taken. */
      readonly kind: 'followed';
      /** The last header of its chain; undefined where it knows none of ours but the first. */
      readonly tip: BlockHash | undefined;
    }
  /** It shows a block ahead of the clock: it may be right, and is asked again later. */
  | { readonly kind: 'early' }
  /** It sent what no honest peer sends: a header that was not worked for, or headers without end that lead nowhere. */
  | { readonly kind: 'lied'; readonly why: HeaderFault | 'endless' }
);

/** `took` is called after each answer. Rejects with `PeerError` when the connection ends; the chain keeps what was taken by then. */
export async function followHeaders(
  chain: HeaderChain,
  peer: Pick<PeerConnection, 'headers'>,
  took: (taken: HeadersTaken) => void = () => undefined,
): Promise<Followed> {
  let fresh = 0;
  let tip: BlockHash | undefined;
  let locator = chain.locator();
  const ends = new Set<string>();
  for (;;) {
    const headers = await peer.headers(locator);
    const taken = chain.take(headers);
    took(taken);
    fresh += taken.fresh;
    if (taken.kind === 'early') return { kind: 'early', fresh };
    if (taken.kind === 'refused') {
      // A peer that knows none of the hashes, as a node in its first download, begins with the first block of all.
      const isBehind = taken.why === 'unlinked' && headers[0]!.header.prevHash.every((byte) => byte === 0);
      return isBehind ? { kind: 'followed', tip, fresh } : { kind: 'lied', why: taken.why, fresh };
    }
    tip = headers.at(-1)?.header.hash ?? tip;
    if (headers.length < MOST_HEADERS || tip === undefined) return { kind: 'followed', tip, fresh };
    // An honest peer that is behind may begin with many that are known, but each answer leads on.
    const end = bytesToHex(tip);
    if (ends.has(end)) return { kind: 'lied', why: 'endless', fresh };
    ends.add(end);
    // Other peers may have shown more of the chain by now: nobody needs to send it again.
    locator = chain.locator(tip);
  }
}
