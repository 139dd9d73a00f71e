// Chains on disk: mined once by the embedded chain, kept in the temporary folder by shape, length and seed, and read by
// whoever serves them. Valid outputs cost 0.2 ms each to make, which is more than scanning them does.
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { Devnet } from '@wallet-companion/devnet';
import { type NetworkParameters, regtestParameters } from '@wallet-companion/zcash/network';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import { leafCount } from '@wallet-companion/zcash/trees';
import { walletKeys, walletReceivers } from '../chains/benchWallet.ts';
import type { Activation, Shape } from './shapes.ts';

/** To be counted up when the same shape and seed give other blocks. */
const VERSION = 1;
const SEED = 'bench sync';

export const paramsOf = (activation: Activation): NetworkParameters =>
  regtestParameters(
    Object.fromEntries(Object.entries(activation).map(([upgrade, height]) => [upgrade, height ?? undefined])),
  );

interface StoredBlock {
  /** Bytes of the whole block, and of the compact one. */
  readonly lengths: readonly [number, number];
  /** After the block. */
  readonly treeSizes: TreeSizes;
}

export interface ChainFacts {
  readonly activation: Activation;
  /** From height 0. */
  readonly blocks: readonly StoredBlock[];
  readonly outputs: number;
  /** Of ours. */
  readonly notes: number;
  readonly zatoshi: number;
}

export interface ChainFiles {
  readonly facts: ChainFacts;
  readonly raw: Buffer;
  readonly compact: Buffer;
}

/** A different amount in each block, so that a sum tells which were found. */
const amountAt = (index: number): number => 10_000 + index;

export function makeChain(
  { plan, activation }: Pick<Shape, 'plan' | 'activation'>,
  blocks: number,
): ChainFiles {
  const params = paramsOf(activation);
  const devnet = new Devnet({ params, seed: SEED });
  const address = walletReceivers(walletKeys(params));
  let notes = 0;
  let zatoshi = 0;
  for (let i = 0; i < blocks; i++) {
    const { strangers, paid } = plan(i, blocks);
    const transactions = strangers.map((outputs) => devnet.traffic(outputs));
    if (paid !== undefined) {
      transactions.push(devnet.pay([{ address, pool: paid, zatoshi: amountAt(i) }]));
      notes += 1;
      zatoshi += amountAt(i);
    }
    devnet.mine({ transactions });
  }
  const mined = devnet.blocks.blocks;
  return {
    facts: {
      activation,
      blocks: mined.map(({ bytes, compact, treeSizes }) => ({
        lengths: [bytes.length, compact.length],
        treeSizes,
      })),
      outputs: leafCount(devnet.tip.treeSizes),
      notes,
      zatoshi,
    },
    raw: Buffer.concat(mined.map(({ bytes }) => bytes)),
    compact: Buffer.concat(mined.map(({ compact }) => compact)),
  };
}

/** Ours alone: what lies there is believed. */
function cacheFolder(): string {
  const folder = path.join(tmpdir(), `wallet-companion-bench-chains-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(folder);
  if (process.platform !== 'win32' && (uid !== userInfo().uid || (mode & 0o077) !== 0)) {
    throw new Error(`${folder} is not this user's alone`);
  }
  return folder;
}

/** The folder of a chain, which is made when it is not there yet. */
export function preparedChain(shape: Shape, blocks: number): string {
  const cache = cacheFolder();
  const plan = Array.from({ length: Math.min(blocks, 1_000) }, (_, i) => shape.plan(i, blocks));
  const id = createHash('sha256')
    .update(JSON.stringify([VERSION, SEED, blocks, shape.activation, plan]))
    .digest('hex')
    .slice(0, 12);
  const folder = path.join(cache, `${shape.name}-${blocks}-${id}`);
  if (!existsSync(folder)) {
    console.log(`making ${blocks} blocks of the shape ${shape.name} (once; kept in ${cache})`);
    const { facts, raw, compact } = makeChain(shape, blocks);
    const unfinished = mkdtempSync(path.join(cache, 'unfinished-'));
    writeFileSync(path.join(unfinished, 'raw'), raw);
    writeFileSync(path.join(unfinished, 'compact'), compact);
    writeFileSync(path.join(unfinished, 'facts.json'), JSON.stringify(facts));
    try {
      renameSync(unfinished, folder);
    } catch (error) {
      // Another run was faster.
      rmSync(unfinished, { recursive: true, force: true });
      if (!existsSync(folder)) throw error;
    }
  }
  return folder;
}

export const factsOf = (folder: string): ChainFacts =>
  JSON.parse(readFileSync(path.join(folder, 'facts.json'), 'utf8')) as ChainFacts;

export const readChain = (folder: string): ChainFiles => ({
  facts: factsOf(folder),
  raw: readFileSync(path.join(folder, 'raw')),
  compact: readFileSync(path.join(folder, 'compact')),
});
