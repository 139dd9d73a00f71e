// A price source that is really there: a file, a program, a server.

import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { ManualClock } from '@wallet-companion/fleet/test/manualClock';
import anyTest, { type ExecutionContext } from 'ava';
import { ScheduledPrices } from '../../src/prices/priceFeed.ts';
import { isStale, type PriceSource } from '../../src/protocol/prices.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { until } from '../helpers/until.ts';

const test = process.platform === 'win32' ? anyTest.skip : anyTest;

const at = (time: number, price = '400'): string =>
  JSON.stringify({ time: new Date(time).toISOString(), source: 'desk', prices: { EUR: price } });

function feedOf(t: ExecutionContext, source: PriceSource | null) {
  const clock = new ManualClock();
  const settingsFile = path.join(temporaryFolder(t), 'config.json');
  fs.writeFileSync(settingsFile, '{}', { mode: 0o600 });
  const warnings: string[] = [];
  const feed = new ScheduledPrices({
    source,
    maxAgeMinutes: 10,
    now: () => clock.now(),
    // The clock has the schedule; what limits a run of seconds never strikes.
    after: (ms, strike) => (ms >= 60_000 ? clock.after(ms, strike) : () => undefined),
    program: { env: process.env, memoryOf: () => undefined },
    settingsFile,
    warn: (problem) => warnings.push(problem),
  });
  t.teardown(() => feed.stop());
  return { feed, clock, warnings, settingsFile };
}

async function startServer(t: ExecutionContext) {
  const requests: string[] = [];
  const server = {
    requests,
    answer: (response: http.ServerResponse): void => void response.end('{}'),
    url: '',
  };
  const listening = http.createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.cookie ?? ''}`);
    server.answer(response);
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    listening.closeAllConnections();
    listening.close();
  });
  server.url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/zec.json?key=1`;
  return server;
}

test('a file is read when prices are needed, and what is wrong with it is named', async (t) => {
  const file = path.join(temporaryFolder(t), 'prices.json');
  const { feed, clock, warnings } = feedOf(t, { file });
  t.deepEqual(await feed.state(), { quote: undefined, problem: 'the file cannot be read' });
  fs.writeFileSync(file, at(clock.now()));
  t.like(await feed.state(), { quote: { prices: { EUR: '400' } }, problem: undefined });
  fs.writeFileSync(file, at(clock.now() - 1000, '5'));
  t.is((await feed.state()).quote?.prices['EUR'], '400', 'an older quote replaces no newer one');
  fs.writeFileSync(file, '{"prices":');
  t.like(await feed.state(), { quote: { prices: { EUR: '400' } }, problem: 'the answer is not JSON' });
  t.deepEqual(warnings, ['the file cannot be read', 'the answer is not JSON']);
});

test('rates of days are read anew whenever rows are valued', async (t) => {
  const file = path.join(temporaryFolder(t), 'rates.csv');
  const { feed } = feedOf(t, null);
  t.deepEqual(await feed.dayRates(), {});
  feed.configure(null, 10, file);
  t.deepEqual(await feed.dayRates(), { problem: 'the file cannot be read' });
  for (const rate of ['412.37', '400']) {
    fs.writeFileSync(file, `date,currency,rate\n2026-03-01,EUR,${rate}\n`);
    t.is((await feed.dayRates()).days?.rates.get('EUR 2026-03-01'), rate);
  }
});

test('a quote of a clock that was ahead is old, and makes way for the next one', async (t) => {
  const file = path.join(temporaryFolder(t), 'prices.json');
  const { feed, clock } = feedOf(t, { file });
  clock.advance(3_600_000);
  fs.writeFileSync(file, at(clock.now()));
  const ahead = (await feed.state()).quote!;
  t.false(isStale(ahead.time, clock.now(), 10));
  clock.advance(-3_600_000);
  t.true(isStale(ahead.time, clock.now(), 10));
  fs.writeFileSync(file, at(clock.now(), '300'));
  t.is((await feed.state()).quote?.prices['EUR'], '300');
});

test('a server is asked at fixed times alone, always for the same', async (t) => {
  const server = await startServer(t);
  const { feed, clock } = feedOf(t, { url: server.url });
  server.answer = (response) => response.end(at(clock.now()));
  feed.start();
  for (let i = 0; i < 20; i++) t.is((await feed.state()).quote?.prices['EUR'], '400');
  t.deepEqual(server.requests, ['GET /zec.json?key=1 ']);
  clock.advance(120_000);
  await until(() => server.requests.length === 2);
  for (const [answer, problem] of [
    [(response: http.ServerResponse) => response.writeHead(500).end(), 'the server answers with status 500'],
    [
      (response: http.ServerResponse) => response.writeHead(302, { location: '/elsewhere' }).end(),
      'the server cannot be reached',
    ],
    [(response: http.ServerResponse) => response.end('x'.repeat(300_000)), 'the answer is too large'],
    [(response: http.ServerResponse) => response.destroy(), 'the server cannot be reached'],
  ] as const) {
    server.answer = answer;
    clock.advance(120_000);
    await until(async () => (await feed.state()).problem === problem);
    t.is((await feed.state()).quote?.prices['EUR'], '400', 'the last quote stays');
  }
  t.is(new Set(server.requests).size, 1);
});

test('a source that was not there at the start is asked each minute until it has answered once', async (t) => {
  const server = await startServer(t);
  const { feed, clock } = feedOf(t, { url: server.url });
  server.answer = (response) => response.writeHead(500).end();
  feed.start();
  t.is((await feed.state()).quote, undefined);
  server.answer = (response) => response.end(at(clock.now()));
  clock.advance(60_000);
  await until(async () => (await feed.state()).quote !== undefined);
  clock.advance(60_000);
  clock.advance(60_000);
  await until(() => server.requests.length === 3);
});

test('a program is run without a shell; another setting forgets what it quoted', async (t) => {
  const folder = temporaryFolder(t);
  const program = path.join(folder, 'prices');
  const { feed, clock, settingsFile } = feedOf(t, { command: [program, '$HOME'] });
  fs.writeFileSync(program, `#!/bin/sh\n[ "$1" = '$HOME' ] || exit 3\necho '${at(clock.now())}'\n`, {
    mode: 0o700,
  });
  t.is((await feed.state()).quote?.source, 'desk');
  feed.configure({ file: path.join(folder, 'none') }, 10, null);
  t.deepEqual(await feed.state(), { quote: undefined, problem: 'the file cannot be read' });
  // Who may write config.json could run anything as the owner.
  fs.chmodSync(settingsFile, 0o620);
  feed.configure({ command: [program, '$HOME'] }, 10, null);
  t.deepEqual(await feed.state(), { quote: undefined, problem: 'others may write config.json' });
  fs.chmodSync(settingsFile, 0o600);
  feed.configure({ command: [program] }, 10, null);
  t.deepEqual(await feed.state(), { quote: undefined, problem: 'the program failed (EXIT_3)' });
  feed.configure(null, 10, null);
  t.deepEqual(await feed.state(), {});
});
