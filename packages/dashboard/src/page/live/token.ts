// The token of the owner's page, for companions that show nothing to callers without a grant. It lives in the memory of pages
// alone: it comes for the code with which the owner's command opened this page, or from our own page that opened this one.

import { connect } from '@wallet-companion/client';
import { withoutCode } from '../../model/place.ts';

const { code, rest } = withoutCode(location.hash);
// Before anything else: the code is to be in no address and no history.
if (code !== undefined) history.replaceState(null, '', location.pathname + rest);

let held: string | undefined;
export const token = (): string | undefined => held;

/** The till's in the place of the owner's, or none: what was held is gone. */
export const hold = (token: string | undefined): void => {
  held = token;
};

/** What a page asks the one that opened it. The answer comes by the port that it sends with it. */
const QUESTION = 'token';
/** A page that is just being closed does not answer. */
const ANSWER_MS = 2_000;

addEventListener('message', ({ data, origin, ports }) => {
  if (data === QUESTION && origin === location.origin) ports[0]?.postMessage(held);
});

/** Pages of other origins cannot be `opener` (Cross-Origin-Opener-Policy), and would not receive the question. */
function fromOpener(opener: Window): Promise<string | undefined> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<string | undefined>) => resolve(data);
    opener.postMessage(QUESTION, location.origin, [port2]);
    setTimeout(resolve, ANSWER_MS);
  });
}

/** Before the first call. Without a token the companion says itself whether one is needed. */
export async function readToken(): Promise<void> {
  if (code !== undefined)
    held = await connect({ baseUrl: location.origin })
      .call('grants.open_page', { code })
      .then((answer) => answer.token)
      .catch(() => undefined);
  else if (window.opener !== null) held = await fromOpener(window.opener as Window);
}

/** For links to another of our documents: with a token, in a tab that can ask this one for it. */
export const inOwnTab = (): { target?: string; rel?: string } =>
  held === undefined ? {} : { target: '_blank', rel: 'opener' };

/** Back to the page that opened this tab for that, which has the token; or else there in this tab. */
export function leaveTo(href: string): void {
  const opener = window.opener as Window | null;
  if (held === undefined || opener === null || opener.closed) location.assign(href);
  else {
    opener.location.assign(href);
    close();
  }
}
