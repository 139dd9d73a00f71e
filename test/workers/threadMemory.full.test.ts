// What a thread has just made fills little memory before it is collected, and that holds for every thread there is.

import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import test from 'ava';
import { THREAD_MEMORY } from '../../src/workers/thread.ts';

const MOST = 16 * 2 ** 20;

/** Keeps what it makes long enough to be copied about, which is when V8 takes more room. */
const BUSY = `
  const { parentPort } = require('node:worker_threads');
  let kept = [];
  for (let i = 0; i < 2_000_000; i++) {
    kept.push({ number: i, list: [i] });
    if (kept.length > 60_000) kept = [];
  }
  const space = require('node:v8').getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  parentPort.postMessage(space.space_size);
`;

test('a busy thread fills no more than it may', async (t) => {
  const filled = async (resourceLimits: object): Promise<number> => {
    const worker = new Worker(BUSY, { eval: true, resourceLimits });
    const [size] = await once(worker, 'message');
    await worker.terminate();
    return size as number;
  };
  t.true((await filled(THREAD_MEMORY)) <= MOST);
  t.true((await filled({})) > MOST, 'left alone it would');
});

test('every thread is held to it', (t) => {
  const started = readdirSync('src/workers')
    .map((file) => readFileSync(`src/workers/${file}`, 'utf8'))
    .flatMap((text) => text.match(/new (?:Worker|Piscina)\([\s\S]*?\}\);/g) ?? []);
  t.true(started.length >= 3);
  for (const call of started) t.regex(call, /resourceLimits: THREAD_MEMORY/, call);
});
