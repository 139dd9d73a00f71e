// A companion on real files over a made-up chain: the wallet actor and the owner of the compact store in one thread,
// nothing to decrypt, so that it can be started thousands of times.

import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { bringUpToDate, type CompactUpstream } from '@wallet-companion/chain/compact';
import type { ChainService } from '@wallet-companion/chain/ports';
import { ChainActor } from '../../../src/actors/chain/chainActor.ts';
import type { ScanPool } from '../../../src/actors/wallet/ports/scanPool.ts';
import { WalletActor } from '../../../src/actors/wallet/walletActor.ts';
import type { OperationName, Output } from '../../../src/protocol/operations.ts';
import { operations } from '../../../src/protocol/operations.ts';
import { type Result, unwrap } from '../../../src/protocol/result.ts';
import { createCompactStores } from '../../../src/storage/blocks/compactStores.ts';
import { openConfigFile } from '../../../src/storage/config/configFile.ts';
import { createDataDirectory, tidyDirectories } from '../../../src/storage/files/directories.ts';
import { createInvoiceFiles } from '../../../src/storage/invoices/invoiceFile.ts';
import { createNoteDatabases } from '../../../src/storage/notes/noteDatabase.ts';
import { createWalletFile } from '../../../src/storage/wallet/walletFile.ts';
import { createProofVerifier } from '../../../src/workers/proofVerifier.ts';
import { CHEAP_KDF } from '../../helpers/cheapKdf.ts';
import { noProver, noSigner } from '../../helpers/noPrograms.ts';
import { signHere } from '../../helpers/signHere.ts';
import { TREE_TASKS } from '../../helpers/treeTasks.ts';
import type { Blocks, World, WorldBlock } from '../../truth/support/world.ts';
import { WorldChain } from '../../truth/support/worldChain.ts';
import { madeUpFunds } from './madeUpFunds.ts';

/** All that happens outside of the companion's folder. */
export interface Outside {
  readonly blocks: Blocks;
  readonly world: World;
  /** A transaction has left. */
  onSend?: () => void;
}

export interface MadeUpCompanion {
  readonly folder: string;
  call(name: OperationName, input?: object): Promise<Result<unknown>>;
  get<N extends OperationName>(name: N, input?: object): Promise<Output<N>>;
  stop(): Promise<void>;
}

export const directoriesIn = (folder: string) => ({
  configDir: path.join(folder, 'config'),
  dataDir: path.join(folder, 'data'),
});

const random = (length: number): Uint8Array => new Uint8Array(randomBytes(length));

/** As a process that starts: whoever was here before has ended. */
export async function startMadeUpCompanion(folder: string, outside: Outside): Promise<MadeUpCompanion> {
  const directories = directoriesIn(folder);
  const configFile = openConfigFile({ configDir: directories.configDir });
  createDataDirectory(directories.dataDir);
  tidyDirectories(directories);
  const stores = createCompactStores();
  const chain = new ChainActor({
    openNode: () => {
      throw new Error('there is no node');
    },
    openCompact: () => madeUpServer(outside),
    stores,
    now: () => 1_790_000_000_000,
    logFault: () => undefined,
  });
  const actor = new WalletActor({
    walletFile: createWalletFile({ dataDir: directories.dataDir, randomBytes: random, kdf: CHEAP_KDF }),
    configFile,
    noteDatabases: createNoteDatabases({ dataDir: directories.dataDir, randomBytes: random }),
    invoiceFiles: createInvoiceFiles({ dataDir: directories.dataDir, randomBytes: random }),
    chain: {
      ...(new WorldChain(() => outside.world, 16).service as ChainService),
      ...madeUpFunds(
        () => outside.world,
        () => outside.onSend?.(),
      ),
      configure: (settings) => chain.configure(settings),
      walletScanned: (settings) => chain.walletScanned(settings),
    },
    prover: noProver,
    proofVerifier: createProofVerifier(),
    signer: noSigner,
    ownSigner: signHere,
    openPool: () => poolOver(outside),
    clock: { now: () => 1_790_000_000_000, elapsed: () => 0, after: () => () => undefined },
    randomBytes: random,
    emit: () => undefined,
    logFault: () => undefined,
    version: '0.0.0',
    ...directories,
  });
  await actor.start();
  const call = (name: OperationName, input: object = {}): Promise<Result<unknown>> => {
    const { actor: owner } = operations[name];
    return (owner === 'wallet' ? actor : chain).dispatch({ name, input, requestId: 'crash' });
  };
  return {
    folder,
    call,
    get: async (name, input) => unwrap(await call(name, input)) as never,
    stop: async () => {
      await actor.stop();
      stores.close();
    },
  };
}

/** Finds what the world paid to the accounts whose keys it is given. */
const poolOver = ({ blocks }: Outside): ScanPool => ({
  concurrency: 2,
  scan: async (batch, { incoming }) =>
    batch.blocks.map(({ hash }) => {
      const { scanned } = blocks.named(hash);
      return {
        ...scanned,
        notes: scanned.notes.filter(({ account }) => incoming.some((key) => key.account === account)),
      };
    }),
  enhance: async () => ({ transactions: [] }),
  readUnmined: async () => [],
  ...TREE_TASKS,
  close: async () => undefined,
});

function madeUpServer({ world }: Outside): CompactUpstream {
  const message = ({ scanned }: WorldBlock) => ({
    bytes: new Uint8Array(400).fill(scanned.height),
    summary: { height: scanned.height, hash: scanned.hash, prevHash: scanned.prevHash },
  });
  const server = {
    host: 'made.up',
    movedDelaysMs: [],
    tip: async () => ({ height: world.tip, hash: world.at(world.tip)!.scanned.hash }),
    block: async (height: number) => message(world.at(height)!),
    async *blocks({ start, end }: { start: number; end: number }) {
      for (let height = start; height <= end; height++) yield message(world.at(height)!);
    },
  };
  return {
    tip: server.tip,
    update: (store, plan) => bringUpToDate(server as never, store, plan),
    close: () => undefined,
  } as Partial<CompactUpstream> as CompactUpstream;
}
