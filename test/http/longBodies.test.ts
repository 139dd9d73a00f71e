// Bodies of a PCZT are longer than others. Whoever has no password must neither fill the memory with them nor keep them
// from others.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { inputLimit } from '../../src/protocol/inputLimits.ts';
import { ok } from '../../src/protocol/result.ts';
import { type HttpFront, startHttpFront } from '../helpers/httpFront.ts';
import { problemOf } from '../helpers/problems.ts';

const PATH = '/api/pczt/inspect';
const LIMIT = inputLimit('pczt.inspect');
const LONGEST = JSON.stringify({ pczt: 'A'.repeat(2 << 20) });

async function start(t: ExecutionContext): Promise<HttpFront> {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  return front;
}

test('the longest PCZT is taken, announced or in chunks; a body beyond the limit is not', async (t) => {
  const front = await start(t);
  for (const body of [LONGEST, LONGEST.padEnd(LIMIT, ' ')]) {
    t.is((await front.post(PATH, body)).status, 200);
    t.is((await front.post(PATH.replace('/api/', '/api/wallets/shop/'), body)).status, 200);
  }
  const chunks = (text: string): string =>
    `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n` +
    `Transfer-Encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
  t.regex(await front.raw(chunks(LONGEST.padEnd(LIMIT, ' '))), /^HTTP\/1\.1 200 /);
  t.is(front.link.calls.length, 5);
  t.regex(await front.raw(chunks(LONGEST.padEnd(LIMIT + 1, ' '))), /^HTTP\/1\.1 413 .*2,112 KiB/s);
  const problem = await problemOf(
    t,
    await front.post(PATH, LONGEST.padEnd(LIMIT + 1, ' ')),
    'BODY_TOO_LARGE',
  );
  t.is(problem.detail, 'The request body must be at most 2,112 KiB.');
  // Who is not told how long it will be tells it all, hears the answer, and may ask on.
  const stream = new Blob([LONGEST, LONGEST]).stream();
  const init = {
    method: 'POST',
    body: stream,
    duplex: 'half',
    headers: { 'content-type': 'application/json' },
  };
  await problemOf(t, await fetch(front.url + PATH, init as RequestInit), 'BODY_TOO_LARGE');
  t.is((await front.get('/api/wallet/exists')).status, 200);
  t.is(front.link.calls.pop()!.name, 'wallet.exists');
  t.is(front.link.calls.length, 5);
});

test('four are answered at a time, and others wait neither for them nor in memory', async (t) => {
  const front = await start(t);
  const answers: (() => void)[] = [];
  let asked: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    asked = resolve;
  });
  front.link.answerWith('pczt.inspect', async ({ pczt }) => {
    if (pczt.length < 10_000) return ok(examples['pczt.inspect'].output);
    await new Promise<void>((answer) => {
      answers.push(answer);
      if (answers.length === 4) asked();
    });
    return ok(examples['pczt.inspect'].output);
  });
  const four = [1, 2, 3, 4].map(() => front.post(PATH, LONGEST));
  await all;
  const problem = await problemOf(t, await front.post(PATH, LONGEST), 'BUSY');
  t.is(problem.detail, 'Other long inputs are being read and answered; try again in a moment.');
  t.is((await front.post(PATH, { pczt: 'AAAA' })).status, 200);
  t.is((await front.post('/api/wallet/lock', {})).status, 200);
  t.is(answers.length, 4);
  for (const answer of answers) answer();
  for (const each of four) t.is((await each).status, 200);
  front.link.failWith('pczt.inspect', { code: 'INVALID_PCZT', detail: 'It is refused.' });
  // Neither an answer nor a failure keeps its place.
  for (let i = 0; i < 9; i++) await problemOf(t, await front.post(PATH, LONGEST), 'INVALID_PCZT');
});

/** A connection that has sent so much of a body and sends no more. */
async function stuck(t: ExecutionContext, front: HttpFront, bytes: number): Promise<Socket> {
  const socket = connect(front.listening.port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
  const body = `Content-Length: ${LIMIT}\r\n\r\n${'A'.repeat(bytes)}`;
  await new Promise((resolve) => socket.write(`${head}${body}`, resolve));
  return socket;
}

test('bodies that are sent slowly keep no other out: the one that has been waited for longest gives way', async (t) => {
  const front = await start(t);
  const refusals: string[] = [];
  const two = new Promise<void>((resolve) => {
    const refused = (answer: Buffer): void => void (refusals.push(String(answer)) === 2 && resolve());
    for (let i = 0; i < 6; i++) void stuck(t, front, 70_000).then((socket) => socket.once('data', refused));
  });
  await two;
  for (const answer of refusals) t.regex(answer, /^HTTP\/1\.1 503 .*"BUSY"/s);
  for (let i = 0; i < 6; i++) t.is((await front.post(PATH, LONGEST)).status, 200);
  t.is(front.link.calls.length, 6);
});
