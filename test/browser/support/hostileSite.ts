// A web site that means no good: its pages, its redirects and its service worker. Besides, a companion without a front
// door, which shows that the attacks would work on one.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Site {
  readonly port: number;
  close(): Promise<void>;
}

export async function listening(server: Server): Promise<Site> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What the attacks share. `arrived` gives the target's door time to be knocked at, without looking at a clock. */
export const HOSTILE_PAGE = `<!doctype html><title>hostile</title><body><script>
const body = document.body;
const put = (tag, fields, place = document.body) => {
  const element = Object.assign(document.createElement(tag), fields);
  place.append(element);
  return element;
};
const settled = (tag, fields, place) => new Promise((resolve) => {
  const element = document.createElement(tag);
  for (const name of ['load', 'error', 'loadeddata']) element['on' + name] = () => resolve(name);
  Object.assign(element, fields);
  (place ?? document.body).append(element);
});
const read = (url, init) => fetch(url, init).then(
  async (answer) => answer.type === 'opaque' ? 'opaque' : answer.status + ' ' + await answer.text(),
  () => 'refused',
);
const said = (target, name) => new Promise((resolve) => target.addEventListener(name, () => resolve(name), { once: true }));
const arrived = async () => {
  for (let tries = 0; tries < 300; tries++) if (await (await fetch('/arrived')).text() !== '0') return 'sent';
  return 'not sent';
};
// A frame's or window's inside, where it may be looked at.
const inside = (look) => { try { return String(look()); } catch (error) { return error.name; } };
// Whether the page that opened a window still has a hold of it.
const held = async (other) => {
  for (let tries = 0; tries < 300 && !other.closed; tries++) await fetch('/arrived');
  const found = other.closed ? 'lost' : inside(() => other.document.body.innerText + other.frames.length);
  other.close();
  return found;
};
// Firefox tells no load of a frame that it does not show: its inside is then out of reach.
const shown = (frame) => Promise.race([said(frame, 'load'), (async () => {
  while (frame.isConnected && frame.contentDocument !== null) await new Promise((resolve) => setTimeout(resolve, 10));
})()]);
const framed = async (fields) => {
  const frame = put('iframe', {});
  const loaded = shown(frame);
  Object.assign(frame, fields);
  await loaded;
  const found = inside(() => frame.contentDocument?.body?.innerText ?? 'closed');
  frame.remove();
  return found;
};
const message = (start) => new Promise((resolve) => {
  addEventListener('message', ({ data }) => resolve(String(data)), { once: true });
  start();
});
</script>`;

const WORKER = `
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('message', ({ data: url, source }) => {
  fetch(url).then((answer) => answer.text(), () => 'refused').then((text) => source.postMessage(text));
});
addEventListener('fetch', (event) => {
  const { pathname, search } = new URL(event.request.url);
  if (pathname === '/through-worker') event.respondWith(fetch(decodeURIComponent(search.slice(1)), { mode: 'no-cors' }));
});`;

/** `arrived`: how many strangers' requests the target has answered since the attack began. */
export function startHostileSite(arrived: () => number): Promise<Site> {
  return listening(
    createServer((asked, answer) => {
      const { pathname, search } = new URL(asked.url ?? '/', 'http://site');
      const to = decodeURIComponent(search.slice(1));
      const send = (type: string, text: string, headers = {}): void => {
        answer.writeHead(200, { 'content-type': type, 'cache-control': 'no-store', ...headers }).end(text);
      };
      asked.resume();
      if (/^\/30[1278]$/.test(pathname)) answer.writeHead(Number(pathname.slice(1)), { location: to }).end();
      else if (pathname === '/arrived') send('text/plain', String(arrived()));
      else if (pathname === '/worker.js') send('text/javascript', WORKER, { 'service-worker-allowed': '/' });
      else if (pathname === '/imports.js') send('text/javascript', `importScripts(${JSON.stringify(to)})`);
      else if (pathname === '/public') {
        send('text/html', HOSTILE_PAGE, { 'content-security-policy': 'treat-as-public-address' });
      } else send('text/html', HOSTILE_PAGE);
    }),
  );
}

export const SECRET = 'total_zatoshi';

/** Answers whoever asks, and lets them read it: what a companion must not be. */
export function startOpenDoor(seen: (asked: IncomingMessage) => void): Promise<Site> {
  const server = createServer((asked: IncomingMessage, answer: ServerResponse) => {
    asked.resume();
    seen(asked);
    answer.setHeader('cache-control', 'no-store');
    answer.setHeader('access-control-allow-origin', asked.headers.origin ?? '*');
    answer.setHeader('access-control-allow-headers', 'content-type');
    answer.setHeader('access-control-allow-methods', '*');
    answer.setHeader('access-control-allow-private-network', 'true');
    answer.setHeader('cross-origin-resource-policy', 'cross-origin');
    const kind = asked.headers['sec-fetch-dest'];
    const text =
      asked.url === '/api/events'
        ? `event: wallet.locked\ndata: ${SECRET}\n\n`
        : kind === 'script' || kind === 'worker' || kind === 'sharedworker'
          ? `self.${SECRET} = 1; typeof importScripts === 'function' && postMessage('read')`
          : kind === 'style'
            ? `body { --secret: ${SECRET} }`
            : `{"${SECRET}":1}`;
    const type =
      asked.url === '/api/events'
        ? 'text/event-stream'
        : kind === 'script'
          ? 'text/javascript'
          : kind === 'style'
            ? 'text/css'
            : 'text/html';
    answer.writeHead(200, { 'content-type': type }).end(text);
  });
  return listening(server);
}
