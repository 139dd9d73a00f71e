// The wallet actor on real files with the real chain side, in one thread: what the companion runs, without its threads.
import type { ChainService, CompactStores } from '@wallet-companion/chain/ports';
import { ManualClock } from '@wallet-companion/fleet/test/manualClock';
import type { ChainEnvironment } from '#chain/context/chainEnvironment';
import { ChainActor } from '../../src/actors/chain/chainActor.ts';
import type { Config } from '../../src/actors/wallet/ports/configFile.ts';
import type { InvoiceFiles } from '../../src/actors/wallet/ports/invoice.ts';
import type { NoteDatabases } from '../../src/actors/wallet/ports/noteDatabase.ts';
import type { ScanPool } from '../../src/actors/wallet/ports/scanPool.ts';
import type { Prover, Signer } from '../../src/actors/wallet/ports/signing.ts';
import type { OpenWallet } from '../../src/actors/wallet/ports/walletFile.ts';
import { WalletActor } from '../../src/actors/wallet/walletActor.ts';
import { dispatchMessage, inputPastPassword } from '../../src/protocol/dispatch.ts';
import type { CompanionEvent } from '../../src/protocol/events.ts';
import type { Link } from '../../src/protocol/link.ts';
import { COMMON_ERRORS } from '../../src/protocol/operation.ts';
import {
  type CallContext,
  type Handlers,
  type OperationName,
  type Output,
  operations,
} from '../../src/protocol/operations.ts';
import type { PriceFeed } from '../../src/protocol/prices.ts';
import { type Result, unwrap } from '../../src/protocol/result.ts';
import { type OpenedConfigFile, openConfigFile } from '../../src/storage/config/configFile.ts';
import { createDataDirectory } from '../../src/storage/files/directories.ts';
import { createInvoiceFiles } from '../../src/storage/invoices/invoiceFile.ts';
import { createNoteDatabases } from '../../src/storage/notes/noteDatabase.ts';
import { createWalletFile } from '../../src/storage/wallet/walletFile.ts';
import { createProofVerifier } from '../../src/workers/proofVerifier.ts';
import { CHEAP_KDF } from './cheapKdf.ts';
import type { TestOwner } from './childProcess.ts';
import { type GrantBed, grantBed } from './grantBed.ts';
import { inlinePool } from './inlinePool.ts';
import { MemoryCompactStores } from './memoryCompactStores.ts';
import { noProver, noSigner } from './noPrograms.ts';
import { seededRandom } from './seededRandom.ts';
import { signHere } from './signHere.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { openPatientCompact, openPatientNode } from './waits.ts';

export { ManualClock, seededRandom };

export const PASSWORD = 'correct horse battery staple';

/** How often the wallet file was opened, which derives a key each time, and by how many at once. */
export function countOpenings() {
  let running = 0;
  const openings = { derivations: 0, most: 0 };
  const watchOpen = async (open: () => Promise<OpenWallet>): Promise<OpenWallet> => {
    openings.derivations += 1;
    running += 1;
    openings.most = Math.max(openings.most, running);
    try {
      return await open();
    } finally {
      running -= 1;
    }
  };
  return { openings, watchOpen };
}

export interface WalletHarness {
  readonly actor: WalletActor;
  readonly chain: ChainActor;
  readonly clock: ManualClock;
  readonly events: CompanionEvent[];
  readonly faults: { where: string; fault: unknown }[];
  readonly folder: string;
  readonly configFile: OpenedConfigFile;
  readonly grants: GrantBed;
  /** The actors as a front sees them. */
  readonly link: Link;
  call<N extends OperationName>(name: N, input?: object): Promise<Output<N>>;
  /** The code of the failure; throws when the call succeeded, or failed in a way that the table does not know. */
  failure(name: OperationName, input?: object): Promise<string>;
  stop(): Promise<void>;
}

/** What stands in config.json for the signer that a test passes. */
const NAMED_PROGRAM = { command: ['/signer'], timeout_seconds: 60, max_memory_mb: 64 };

export async function startWallet(
  t: TestOwner,
  options: {
    config?: Partial<Config>;
    folder?: string;
    /** Default: the folder. */
    configDir?: string;
    pool?: () => ScanPool;
    /** Default: one of its own. */
    chain?: ChainActor;
    /** How the wallet asks it; default: as nobody in particular. */
    chainService?: ChainService;
    /** Or around the chain side that is made here. */
    aroundChain?: (chain: ChainService) => ChainService;
    /** Of its random bytes; default: the title. */
    seed?: string;
    stores?: CompactStores;
    /** Wraps the note databases of the folder. */
    noteDatabases?: (stores: NoteDatabases) => NoteDatabases;
    /** And its invoices. */
    invoiceFiles?: (files: InvoiceFiles) => InvoiceFiles;
    openNode?: ChainEnvironment['openNode'];
    openCompact?: ChainEnvironment['openCompact'];
    openPeers?: ChainEnvironment['openPeers'];
    follow?: boolean;
    oneCommand?: boolean;
    /** Default: one of its own. */
    clock?: ManualClock;
    prover?: Prover;
    /** Default: nobody has any. */
    prices?: PriceFeed;
    signer?: Signer;
    /** Around every opening of the wallet file, which derives a key from the password. */
    watchOpen?: (open: () => Promise<OpenWallet>) => Promise<OpenWallet>;
  } = {},
): Promise<WalletHarness> {
  const folder = options.folder ?? temporaryFolder(t);
  createDataDirectory(folder);
  const clock = options.clock ?? new ManualClock();
  const events: CompanionEvent[] = [];
  const listeners = new Set<(event: CompanionEvent) => void>();
  const faults: { where: string; fault: unknown }[] = [];
  const randomBytes = seededRandom(options.seed ?? t.title);
  const logFault = (where: string, fault: unknown) => faults.push({ where, fault });
  const chain =
    options.chain ??
    new ChainActor({
      openNode: options.openNode ?? openPatientNode,
      openCompact: options.openCompact ?? openPatientCompact,
      ...(options.openPeers && { openPeers: options.openPeers }),
      stores: options.stores ?? new MemoryCompactStores(),
      now: () => clock.now(),
      // On this clock nothing takes time but waiting.
      loopIdle: () => clock.now(),
      logFault,
    });
  const walletFile = createWalletFile({ dataDir: folder, randomBytes, kdf: CHEAP_KDF });
  const { watchOpen } = options;
  if (watchOpen !== undefined) {
    const open = walletFile.open.bind(walletFile);
    walletFile.open = (password) => watchOpen(() => open(password));
  }
  const configFile = openConfigFile({
    configDir: options.configDir ?? folder,
    overrides: {
      ...options.config,
      ...(options.follow === true ? { follow: true } : {}),
      ...(options.signer && { signer: NAMED_PROGRAM }),
    },
  });
  const actor = new WalletActor({
    walletFile,
    configFile,
    noteDatabases: (options.noteDatabases ?? ((stores) => stores))(
      createNoteDatabases({ dataDir: folder, randomBytes }),
    ),
    invoiceFiles: (options.invoiceFiles ?? ((files) => files))(
      createInvoiceFiles({ dataDir: folder, randomBytes }),
    ),
    chain: options.chainService ?? options.aroundChain?.(chain) ?? chain,
    prover: options.prover ?? noProver,
    proofVerifier: createProofVerifier(),
    signer: options.signer ?? noSigner,
    ...(options.prices && { prices: options.prices }),
    ownSigner: signHere,
    openPool: options.pool ?? inlinePool,
    clock,
    randomBytes,
    emit: (event) => {
      events.push(event);
      for (const listener of listeners) listener(event);
    },
    logFault,
    version: '0.0.0',
    oneCommand: options.oneCommand ?? false,
    dataDir: folder,
    configDir: options.configDir ?? folder,
  });
  await actor.start();
  const grants = grantBed(t.title, { allowedOrigins: options.config?.allowed_origins ?? [] });
  const dispatch = async (
    name: OperationName,
    input: object,
    caller: Partial<CallContext> = {},
  ): Promise<Result<unknown>> => {
    const { byOwner, origin, grant } = caller;
    if (operations[name].actor === 'wallet')
      return actor.dispatch({ name, input, requestId: 'test', byOwner, origin, grant });
    const given = await inputPastPassword(name, input, caller, (message) => actor.dispatch(message));
    if (!given.ok) return given;
    const { handled, hasPassword } = given.value;
    const message = { name, input: handled, hasPassword, requestId: 'test', byOwner, origin, grant };
    if (operations[name].actor === 'chain') return chain.dispatch(message);
    return dispatchMessage('service', grants.handlers as unknown as Handlers<'service'>, message, {
      logFault,
    });
  };
  return {
    actor,
    chain,
    clock,
    events,
    faults,
    folder,
    configFile,
    grants,
    link: {
      dispatch: async (name, input, context) => (await dispatch(name, input as object, context)) as never,
      health: async () => ({ wallet: 'up', chain: 'up', kernel: null, restarts: { wallet: 0, chain: 0 } }),
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    call: async (name, input = {}) => unwrap(await dispatch(name, input)) as never,
    failure: async (name, input = {}) => {
      const result = await dispatch(name, input);
      if (result.ok) throw new Error(`${name} succeeded`);
      const { code } = result.error;
      if (![...COMMON_ERRORS, ...operations[name].errors].includes(code))
        throw new Error(`the table does not say that ${name} can answer ${code}`);
      return code;
    },
    stop: () => actor.stop(),
  };
}
