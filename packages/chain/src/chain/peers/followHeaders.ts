// Brings a chain of headers up to what one peer shows. The chain believes none of it that was not worked for.

import type { HeaderChain, HeaderFault, HeadersTaken } from '../headers/headerChain.ts';
import { MOST_HEADERS } from './messages.ts';
import type { PeerConnection } from './peerConnection.ts';

export type Followed =
  /** All that it shows was taken; `fresh`: how many headers were new. */
  | { readonly kind: 'followed'; readonly fresh: number }
  /** It shows a block ahead of the clock: it may be right, and is asked again later. */
  | { readonly kind: 'early'; readonly fresh: number }
  /** It sent what no honest peer sends: a header that was not worked for, or headers without end that add nothing. */
  | { readonly kind: 'lied'; readonly why: HeaderFault | 'endless'; readonly fresh: number };

/** `took` is called after each answer. Rejects with `PeerError` when the connection ends; the chain keeps what was taken by then. */
export async function followHeaders(
  chain: HeaderChain,
  peer: Pick<PeerConnection, 'headers'>,
  took: (taken: HeadersTaken) => void = () => undefined,
): Promise<Followed> {
  let fresh = 0;
  let end = chain.locator();
  for (;;) {
    const headers = await peer.headers(end);
    const taken = chain.take(headers);
    took(taken);
    fresh += taken.fresh;
    if (taken.kind === 'early') return { kind: 'early', fresh };
    if (taken.kind === 'refused') return { kind: 'lied', why: taken.why, fresh };
    if (headers.length < MOST_HEADERS) return { kind: 'followed', fresh };
    // On a branch with less work the next ones follow the last of these, which the chain does not name.
    const last = headers.at(-1)!.header.hash;
    if (taken.fresh === 0) return { kind: 'lied', why: 'endless', fresh };
    end = [last, ...chain.locator()];
  }
}
