// What the made-up server knows of the wallet's first transparent address: a payment that moves it needs no note to be
// opened, so that it can be prepared, completed and sent over a made-up chain.

import type { ChainService, UnspentOutput } from '@wallet-companion/chain/ports';
import { Devnet } from '@wallet-companion/devnet';
import { ownTransparentAddresses } from '@wallet-companion/pczt/spending';
import { deriveViewingKeys, mnemonicToSeed } from '@wallet-companion/zcash/keys';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { perPool } from '@wallet-companion/zcash/pools';
import { NODE_BYTES, TREE_DEPTH, writeTreeState } from '@wallet-companion/zcash/trees';
import type { World } from '../../truth/support/world.ts';

export const PHRASE =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
export const PARAMS = regtestParameters();
export const SEED = mnemonicToSeed(PHRASE, '');
const ZATOSHI = 500_000_000;

let made: { readonly output: UnspentOutput; readonly bytes: Uint8Array } | undefined;

/** A transaction that pays the address, which takes a second to make. */
function funds() {
  if (made !== undefined) return made;
  const { transparent } = deriveViewingKeys(SEED, PARAMS, 0);
  const range = { start: 0, count: 1 };
  const { address } = ownTransparentAddresses(transparent, 'external', range, PARAMS)[0]!;
  const devnet = new Devnet({ seed: 'funds', params: PARAMS });
  const { txid, bytes } = devnet.pay([{ address, pool: 'transparent', zatoshi: BigInt(ZATOSHI) }]);
  made = { output: { address, txid, index: 0, zatoshi: ZATOSHI, height: 2 }, bytes };
  return made;
}

/** Leaves that are all zero: nothing opens them. */
function treeOf(size: number): Uint8Array {
  const first = size === 0 ? 0 : (size - 1) & ~1;
  const leaves = new Uint8Array((size - first) * NODE_BYTES);
  const ommers = Array.from({ length: TREE_DEPTH }, (_, height) =>
    height > 0 && (first >> height) & 1 ? new Uint8Array(NODE_BYTES) : undefined,
  );
  return writeTreeState({ size, first, ommers, leaves });
}

type Known = 'treeStates' | 'unspentOutputs' | 'rawTransaction' | 'sendTransaction' | 'transactionStatus';

/** `onSend`: a transaction has left. */
export const madeUpFunds = (world: () => World, onSend: () => void): Pick<ChainService, Known> => ({
  treeStates: async ({ height }) => {
    const block = world().at(height)?.scanned;
    if (block === undefined) return null;
    return {
      hash: block.hash,
      states: perPool((pool) => treeOf(block.treeSizes[pool])),
      roots: perPool(() => null),
    };
  },
  unspentOutputs: async ({ addresses }) =>
    addresses.includes(funds().output.address) ? [funds().output] : [],
  rawTransaction: async () => Uint8Array.from(funds().bytes).buffer,
  sendTransaction: async () => {
    onSend();
    return { kind: 'accepted' };
  },
  transactionStatus: async () => ({ kind: 'unknown' }),
});
