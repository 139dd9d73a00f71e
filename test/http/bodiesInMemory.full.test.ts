// A body that was taken and wiped is nowhere in the memory of the process: neither where the parser had it, nor in the
// block that the system's bytes were read into.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { canReadMemory, findInMemory } from '@wallet-companion/disk/test/memoryScan';
import test from 'ava';

const FRONT = fileURLToPath(new URL('support/readingFront.js', import.meta.url));
const ROUNDS = 300;
const AT_ONCE = 4;
const TEXTS = ['thirty-one notebooks, linen', 'order of the bookshop, 88-5150', 'lives above the bakery'];

(canReadMemory ? test : test.skip)('of a body that was wiped nothing is left', async (t) => {
  const child = spawn(process.execPath, [FRONT], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill());
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const post = async (body: string) =>
    (await fetch(`http://127.0.0.1:${String(port).trim()}/`, { method: 'POST', body })).text();
  const send = (body: string) => Promise.all(Array.from({ length: AT_ONCE }, () => post(body)));
  for (let i = 0; i < ROUNDS; i++) await send(JSON.stringify(TEXTS));
  // As long: from Node 24 on it is one block, which only what comes later overwrites (workers/readBlock.ts).
  for (let i = 0; i < 3; i++) await send(JSON.stringify(TEXTS.map((text) => text.replaceAll(/./g, '-'))));
  const needles = new Map(TEXTS.map((text) => [text, [Buffer.from(text.slice(8))]]));
  t.deepEqual(findInMemory(child.pid!, needles), new Map());
});
