import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { HeaderFile } from '../../src/chain/headers/headerFile.ts';
import { KeptHeaders } from '../../src/chain/peers/keptHeaders.ts';
import type { ReceivedHeader } from '../../src/chain/peers/messages.ts';
import { chainParts, FORK, main, many, nodeWith } from '../smallChain.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'headers-'));
test.after.always(() => rmSync(folder, { recursive: true }));

const branch = [...main.slice(0, FORK + 1), ...many];
const genesis = main[0]!.header.hash;
const knownAt = (height: number) => ({ height, hash: main[height]!.header.hash });
const START = { below: knownAt(0), at: knownAt(130) };

const open = (name?: string, start = START) =>
  new KeptHeaders({
    ...chainParts,
    start,
    file: name === undefined ? undefined : new HeaderFile(path.join(folder, name), genesis),
    failed: (error) => {
      throw error;
    },
  });

test('the stretch between two known blocks comes from any peer, and what is above it is judged by its work', async (t) => {
  const kept = open();
  t.is(kept.chain, undefined);
  t.is((await kept.follow(nodeWith(main))).kind, 'followed');
  t.is(kept.chain?.tip.height, main.length - 1);
  t.is(kept.chain?.start, 1);
  t.is(kept.chain?.isOnBest(200, main[200]!.header.hash), true);
  t.is(kept.chain?.isOnBest(200, main[201]!.header.hash), false);
  t.is(kept.chain?.isOnBest(main.length, genesis), undefined);
});

test('who shows another stretch has lied, and who is behind it has not', async (t) => {
  const kept = open(undefined, { ...START, at: { height: 130, hash: main[131]!.header.hash } });
  t.like(await kept.follow(nodeWith(main)), { kind: 'lied', why: 'checkpoint' });
  t.is(kept.chain, undefined);
  const unlinked: readonly ReceivedHeader[] = [...main.slice(0, 50), ...main.slice(51)];
  t.like(await open().follow(nodeWith(unlinked)), { kind: 'lied', why: 'unlinked' });
  t.like(await open().follow(nodeWith(main.slice(0, 100))), { kind: 'followed', tip: undefined });
  t.like(await open().follow(nodeWith(main.slice(40))), { kind: 'followed', tip: undefined });
});

test('a restart goes on where it ended, on the branch that it had left for', async (t) => {
  const first = open('restart');
  await first.follow(nodeWith(branch));
  await first.follow(nodeWith(main));
  first.close();
  const asked: number[] = [];
  const node = nodeWith(main);
  const again = open('restart');
  t.deepEqual(again.chain?.tip, first.chain?.tip);
  await again.follow({
    headers: (locator) => {
      asked.push(node.answer(locator).length);
      return node.headers(locator);
    },
  });
  t.deepEqual(asked, [1], 'the tip alone is sent again');
  again.close();
  const other = open('restart', { below: knownAt(0), at: { height: 140, hash: genesis } });
  t.is(other.chain, undefined, 'a file without the known block is worth nothing');
  other.close();
});
