import { summarizeCompactBlock } from '@wallet-companion/zcash/blocks';
import { encodeCompactBlock } from '@wallet-companion/zcash/compactBlocks';
import { asBlockHash, asNullifier, asTxId } from '@wallet-companion/zcash/identifiers';
import { perActionPool } from '@wallet-companion/zcash/pools';
import { poolSizes } from '@wallet-companion/zcash/test/perPool';
import test from 'ava';
import { storedTreeSizesBefore } from '#chain/compact/storedTreeSizes';
import { MemoryCompactStore } from '../../helpers/memoryCompactStores.ts';

const ACTIVATION = 100;
/** More than two steps of reading below and above the middle. */
const TOP = 1_500;
const MIDDLE = 750;
const NEVER = new AbortController().signal;

const hashOf = (height: number): Uint8Array => {
  const hash = new Uint8Array(32);
  new DataView(hash.buffer).setUint32(0, height);
  return hash;
};

/** From the activation on a block adds one Sapling leaf, every third one an Orchard leaf too. */
const sizesAfter = (height: number) =>
  poolSizes({
    sapling: Math.max(0, height - ACTIVATION + 1),
    orchard: Math.max(0, Math.floor(height / 3) - Math.floor((ACTIVATION - 1) / 3)),
  });

const item = new Uint8Array(32);
const output = { cmu: item, ephemeralKey: item, ciphertext: new Uint8Array(52) };
const action = {
  nullifier: asNullifier(item),
  cmx: item,
  ephemeralKey: item,
  ciphertext: new Uint8Array(52),
};

const NO_ACTIONS = perActionPool(() => []);

function block(height: number, carriesSizes: boolean): Uint8Array {
  const isActive = height >= ACTIVATION;
  const transaction = {
    index: 0,
    txid: asTxId(item),
    spends: [],
    outputs: isActive ? [output] : [],
    actions: { ...NO_ACTIONS, orchard: isActive && height % 3 === 0 ? [action] : [] },
  };
  return encodeCompactBlock({
    height,
    hash: asBlockHash(hashOf(height)),
    prevHash: asBlockHash(hashOf(height - 1)),
    time: 0,
    transactions: [transaction],
    treeSizes: carriesSizes ? sizesAfter(height) : undefined,
  });
}

function storeOf(start: number, end: number, carriers: readonly number[] = []): MemoryCompactStore {
  const store = new MemoryCompactStore();
  const messages = Array.from({ length: end - start + 1 }, (_, i) =>
    block(start + i, carriers.includes(start + i)),
  );
  store.put(messages.map((data) => ({ ...summarizeCompactBlock(data), data })));
  return store;
}

for (const [what, store] of [
  ['the nearest block below that carries sizes', storeOf(ACTIVATION + 1, MIDDLE, [ACTIVATION + 1])],
  ['the block right below', storeOf(MIDDLE - 1, MIDDLE, [MIDDLE - 1])],
  ['the nearest block above that carries sizes', storeOf(MIDDLE, TOP, [TOP])],
  ['the block itself', storeOf(MIDDLE, MIDDLE, [MIDDLE])],
  ['the activation, where stored blocks begin', storeOf(ACTIVATION, MIDDLE)],
  ['the activation, amid stored blocks', storeOf(1, MIDDLE)],
] as const) {
  test(`sizes are counted from ${what}`, async (t) => {
    t.deepEqual(await storedTreeSizesBefore(store, MIDDLE, ACTIVATION, NEVER), sizesAfter(MIDDLE - 1));
  });
}

test('without a block that carries sizes and above the activation nothing is known', async (t) => {
  const store = storeOf(ACTIVATION + 1, TOP);
  t.is(await storedTreeSizesBefore(store, MIDDLE, ACTIVATION, NEVER), undefined);
  t.is(await storedTreeSizesBefore(store, TOP + 1, ACTIVATION, NEVER), undefined, 'not stored');
});

test('nothing is counted across a gap', async (t) => {
  const store = storeOf(ACTIVATION, TOP, [ACTIVATION, TOP]);
  store.remove({ start: MIDDLE - 300, end: MIDDLE - 300 });
  store.remove({ start: MIDDLE + 300, end: MIDDLE + 300 });
  t.is(await storedTreeSizesBefore(store, MIDDLE, ACTIVATION, NEVER), undefined);
});

test('counting ends when no reader waits for it any more', async (t) => {
  const abort = new AbortController();
  const counting = storedTreeSizesBefore(storeOf(ACTIVATION, TOP), TOP, ACTIVATION, abort.signal);
  abort.abort();
  await t.throwsAsync(counting, { name: 'AbortError' });
});
