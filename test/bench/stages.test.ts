// The attribution of profiler samples to stages, on a profile made up for it.
import test from 'ava';
import { type CallFrame, type CpuProfile, shares, stageTimes, wholeOf } from '../../bench/sync/stages.ts';

const PIECE = 1_000;

/** A chain of calls for each leaf: the sample falls on the last one. */
function profileOf(stacks: readonly (readonly CallFrame[])[]): CpuProfile {
  const nodes: { id: number; callFrame: CallFrame; children: number[] }[] = [
    { id: 1, callFrame: frame('(root)'), children: [] },
  ];
  const samples = stacks.map((stack) => {
    let parent = nodes[0]!;
    for (const callFrame of stack) {
      const node = { id: nodes.length + 1, callFrame, children: [] };
      nodes.push(node);
      parent.children.push(node.id);
      parent = node;
    }
    return parent.id;
  });
  // One more, so that the last one lasts.
  return {
    nodes,
    startTime: 0,
    samples: [...samples, 1],
    timeDeltas: [...samples, 1].map(() => PIECE),
  };
}

const frame = (functionName: string, url = ''): CallFrame => ({ functionName, url });
const ours = (file: string): CallFrame => frame('work', `file:///somewhere/dist/src/${file}`);
const library = (name: string): CallFrame => frame('work', `file:///somewhere/node_modules/${name}`);

for (const [what, stack, stage] of [
  ['the WebAssembly kernel', [ours('kernel/batch/batch.js'), frame('run', 'wasm://wasm/12ab')], 'decrypt'],
  ['its batches', [ours('kernel/batch/batch.js')], 'decrypt'],
  ['the check of what fits', [ours('kernel/verify/verifier.js')], 'verify'],
  [
    'a hash, for every caller',
    [ours('kernel/verify/verifier.js'), library('@noble/hashes/blake2.js')],
    'verify',
  ],
  [
    'a cipher inside the note store',
    [ours('storage/notes/noteStore.js'), library('@noble/ciphers/chacha.js')],
    'store',
  ],
  ['SQLite itself', [ours('disk/sqlite/sqlite.js'), frame('exec')], 'store'],
  ['blocks that are read', [ours('zcash/encoding/block.js')], 'parse'],
  ['JSON', [ours('chain/node/nodeRpc.js'), frame('parse')], 'parse'],
  ['hexadecimal', [ours('chain/node/nodeRpc.js'), frame('hexWrite')], 'parse'],
  ['batches that are packed', [ours('chain/source/blockPacking.js')], 'pack'],
  ['a node that is asked', [ours('chain/node/nodeRpc.js')], 'fetch'],
  ['gRPC', [library('@grpc/grpc-js/build/src/client.js')], 'fetch'],
  ['the wallet actor', [ours('actors/wallet/sync/rangeScan.js')], 'apply'],
  ['a message sent', [ours('actors/wallet/sync/rangeScan.js'), frame('postMessage')], 'messages'],
  [
    'a module that the pool loads into a worker',
    [library('piscina/dist/worker.js'), frame('compileSourceTextModule', 'node:internal/modules/esm/utils')],
    'loading',
  ],
  ['garbage', [ours('actors/wallet/sync/rangeScan.js'), frame('(garbage collector)')], 'GC'],
  ['of no known stage', [frame('run', 'node:internal/process/task_queues')], 'other'],
] as const) {
  test(`${what} counts as ${stage}`, (t) => {
    const times = stageTimes(profileOf([stack]));
    t.is(times[stage], PIECE);
    t.is(wholeOf(times), PIECE);
  });
}

test('waiting is no work: an idle thread, a worker that waits for its next task', (t) => {
  const worker = library('piscina/dist/worker.js');
  const times = stageTimes(profileOf([[frame('(idle)')], [worker], [worker, frame('wait')]]));
  t.is(wholeOf(times), 0);
  t.deepEqual(new Set(Object.values(shares(times))), new Set([0]), 'and nothing is divided by it');
});

test('what the pool does around a task is messages', (t) => {
  const worker = library('piscina/dist/worker.js');
  t.is(stageTimes(profileOf([[worker, frame('receiveMessageOnPort')]])).messages, PIECE);
  t.is(stageTimes(profileOf([[worker, frame('structuredClone')]])).messages, PIECE);
});

test('only what lies between the two times counts', (t) => {
  const stack = [ours('kernel/batch/batch.js')];
  const profile = profileOf([stack, stack, stack, stack]);
  // The first sample is taken one piece after the start.
  t.is(stageTimes(profile, 2 * PIECE, 4 * PIECE).decrypt, 2 * PIECE);
});

test('shares are of the whole', (t) => {
  const times = stageTimes(profileOf([[ours('kernel/a.js')], [ours('kernel/a.js')], [ours('storage/a.js')]]));
  const parts = shares(times);
  t.is(parts.decrypt, 2 / 3);
  t.is(parts.store, 1 / 3);
});
