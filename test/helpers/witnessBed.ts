// A devnet whose trees begin near the end of a subtree, and what makes witnesses of its notes: the real chain side over
// sockets, the real kept parts in memory, and no wallet.

import { equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { ChainService, Source } from '@wallet-companion/chain/ports';
import { Devnet, type DevnetOptions } from '@wallet-companion/devnet';
import type { MinedBlock } from '@wallet-companion/devnet/chain';
import { POOL, type Pool } from '@wallet-companion/zcash/pools';
import { rootOfPath, TREE_HASH } from '@wallet-companion/zcash/trees';
import type { ExecutionContext } from 'ava';
import type { WalletEnvironment } from '../../src/actors/wallet/ports/walletEnvironment.ts';
import type { LastingChange, WitnessPart } from '../../src/actors/wallet/ports/witnessPart.ts';
import type { Session } from '../../src/actors/wallet/session/session.ts';
import type { Sessions } from '../../src/actors/wallet/session/sessions.ts';
import type { PositionedNote } from '../../src/actors/wallet/witnesses/subtreePaths.ts';
import { type Witnesses, WitnessMaker } from '../../src/actors/wallet/witnesses/witnesses.ts';
import { startChainActor } from './chainActorHere.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { TREE_TASKS } from './treeTasks.ts';

/** The first block of the devnet is the one before: a rounded height. */
export const BED_START = 5_001;

export async function startWitnessBed(t: ExecutionContext, options: Omit<DevnetOptions, 'seed'> = {}) {
  const devnet = new Devnet({ seed: t.title, startHeight: BED_START, ...options });
  t.teardown(() => devnet.close());
  const faults: unknown[] = [];
  const logFault = (_where: string, fault: unknown) => faults.push(fault);
  const folder = temporaryFolder(t);
  const { actor } = await startChainActor(
    t,
    {
      network: 'regtest',
      activation: devnet.params.activation,
      nodeUrl: await devnet.node.listen(),
      compactServerUrl: await devnet.compact.listen(),
      dataDir: folder,
      configDir: folder,
    },
    { loopIdle: () => 0, logFault },
  );
  /** To be changed by a test: what lies, counts or fails. */
  const chain: ChainService = Object.fromEntries(
    (['treeStates', 'subtreeRoots', 'openRange', 'nextBatch', 'closeRange'] as const).map((name) => [
      name,
      (query: never) => actor[name](query),
    ]),
  ) as unknown as ChainService;
  const kept = new Map<string, WitnessPart>();
  const lasting = new Map<string, Uint8Array>();
  const session = {
    noteStore: {
      block: (height: Height) => scanned(devnet.blocks.at(height)),
      isScanned: (height: Height) => devnet.blocks.at(height) !== undefined,
      scannedTop: () => devnet.tip.height,
      fits: () => true,
      witnessPart: (key: string) => kept.get(key),
      keepWitnessParts: (parts: readonly WitnessPart[]) => {
        for (const part of parts) kept.set(part.key, part);
      },
      lastingPart: (key: string) => lasting.get(key),
      changeLasting: ({ put, drop }: LastingChange) => {
        for (const key of drop) lasting.delete(key);
        for (const { key, bytes } of put) lasting.set(key, bytes);
      },
    },
    pool: { concurrency: 2, ...TREE_TASKS },
    scanKeys: { heights: devnet.params.activation },
  } as unknown as Session;
  const sessions: { current: Session | undefined } = { current: session };
  const maker = new WitnessMaker(
    { chain, logFault } as unknown as WalletEnvironment,
    sessions as unknown as Sessions,
    { readAgain: () => Promise.reject(new Error('nothing is scanned here')), compactServer: () => '' },
  );
  return {
    devnet,
    chain: chain as { -readonly [Name in keyof ChainService]: ChainService[Name] },
    kept,
    faults,
    maker,
    session,
    sessions,
    lasting,
    make: (notes: readonly PositionedNote[], source: Source, anchor: Height = devnet.tip.height - 2) =>
      maker.witnesses(session, notes, anchor, { source }),
  };
}

export type WitnessBed = Awaited<ReturnType<typeof startWitnessBed>>;

const scanned = (block: MinedBlock | undefined) =>
  block && { height: block.height, hash: block.hash, prevHash: block.prevHash, treeSizes: block.treeSizes };

/** Every leaf of a block as a note. */
export function notesIn(block: MinedBlock, pool: Pool): PositionedNote[] {
  const first = block.treeSizesBefore[pool];
  return block.leaves(pool).map((_, i) => ({ pool, position: first + i, height: block.height }));
}

/** Folded by the reference, one note at a time, and compared with the devnet's own trees. */
export function checkWitnesses(
  t: ExecutionContext,
  { devnet }: WitnessBed,
  notes: readonly PositionedNote[],
  made: Witnesses,
): void {
  const anchor = devnet.blocks.at(made.anchorHeight)!;
  t.true(equalBytes(made.blockHash, anchor.hash));
  t.is(made.notes.length, notes.length);
  for (const [i, { pool, position, height }] of notes.entries()) {
    const { leaf, path } = made.notes[i]!;
    const block = devnet.blocks.at(height)!;
    t.deepEqual(leaf, block.leaves(pool)[position - block.treeSizesBefore[pool]]);
    t.is(path.position, position);
    t.is(path.siblings.length, 32);
    const root = devnet.trees[pool].rootAfter(anchor);
    t.deepEqual(rootOfPath(TREE_HASH[POOL[pool].protocol], leaf, path), root, `${pool} ${position}`);
    t.deepEqual(made.roots[pool], root);
  }
}
