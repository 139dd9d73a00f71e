// A hostile page in a real Chromium, on another name and on another port of the same one, with everything that a page
// can try: it reads nothing and changes nothing. What it sends may arrive; what counts is that no operation runs.

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { readDashboard } from '../../src/dashboard/files.ts';
import { type HttpFront, startHttpFront } from '../helpers/httpFront.ts';
import { browserTest } from './support/browserTest.ts';

/** Chromium is told that these names are this machine, as an attacker's name server would say. */
const ATTACKER = 'attacker.example';
const REBOUND = 'rebound.example';

const ATTACK = readFileSync('test/dashboard/support/attack.js', 'utf8');

async function hostileServer(t: ExecutionContext): Promise<number> {
  const server: Server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>free money</title><body></body>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function victim(t: ExecutionContext): Promise<HttpFront> {
  const stopping = new AbortController();
  const front = await startHttpFront({ dashboard: readDashboard(), stopping: stopping.signal });
  t.teardown(() => {
    stopping.abort();
    return front.close();
  });
  return front;
}

for (const [whose, name] of [
  ['another name', ATTACKER],
  ['another port of the same address', '127.0.0.1'],
  ['another name of this machine', 'localhost'],
] as const) {
  browserTest(`a page on ${whose} reads nothing and runs nothing`, async (t, page) => {
    const front = await victim(t);
    const port = await hostileServer(t);
    await page.open(`http://${name}:${port}/`);
    await page.until(`document.title === 'free money'`);
    const read = await page.evaluate<string[]>(`(${ATTACK})(${JSON.stringify(front.url)})`);
    t.deepEqual(read, []);
    t.deepEqual(
      front.link.calls.map(({ name }) => name),
      [],
    );
    // It did reach the door: what is shown here is that the door was closed.
    t.true(page.requested.filter((url) => url.startsWith(`${front.url}/`)).length > 50);
  });
}

browserTest('a name that is pointed at this machine later opens nothing', async (t, page) => {
  const front = await victim(t);
  const target = `http://${REBOUND}:${front.listening.port}`;
  await page.pretend(`${target}/free`, '<title>free money</title>');
  await page.open(`${target}/free`);
  await page.until(`document.title === 'free money'`);
  const read = await page.evaluate<string[]>(
    `Promise.all(['/api/config', '/api/balance', '/'].map((path) => fetch(path).then((answer) => answer.text())))`,
  );
  for (const text of read) t.true(text.includes('HOST_FORBIDDEN'), text);
  t.deepEqual(front.link.calls, []);
});

browserTest('the page of the companion itself gets through the same door', async (t, page) => {
  const front = await victim(t);
  await page.open(front.url);
  await page.until(`document.querySelector('h2')`);
  t.true(front.link.calls.some(({ name }) => name === 'wallet.status'));
  const seen = await page.evaluate<number>(
    `fetch('/api/wallet/lock', { method: 'POST' }).then((answer) => answer.status)`,
  );
  t.is(seen, 200);
});
