// A chain actor in the test's thread, for tests that need no wallet. Its connections are patient and end with the test.

import type { ChainSettings } from '@wallet-companion/chain/ports';
import type { ExecutionContext } from 'ava';
import type { ChainEnvironment } from '#chain/context/chainEnvironment';
import { ChainActor } from '../../src/actors/chain/chainActor.ts';
import { MemoryCompactStores } from './memoryCompactStores.ts';
import { openPatientCompact, openPatientNode } from './waits.ts';

const SETTINGS = {
  nodeCookieFile: null,
  namedNodes: [],
  dataDir: '/data',
  configDir: '/config',
  restrictDbPath: false,
  birthdayHeight: null,
  lastScanHeight: null,
};

type Servers = Pick<ChainSettings, 'network' | 'activation' | 'nodeUrl' | 'compactServerUrl'>;

/** A fault that the actor logs fails the test, unless `environment` has another log. */
export async function startChainActor(
  t: ExecutionContext,
  given: Servers & Partial<ChainSettings>,
  environment: Partial<ChainEnvironment> = {},
): Promise<{ readonly actor: ChainActor; readonly settings: ChainSettings }> {
  const { openNode = openPatientNode, openCompact = openPatientCompact } = environment;
  const closing: { close(): void }[] = [];
  const closedAfter = <C extends { close(): void }>(connection: C): C => {
    closing.push(connection);
    return connection;
  };
  t.teardown(() => {
    for (const connection of closing) connection.close();
  });
  const actor = new ChainActor({
    stores: new MemoryCompactStores(),
    now: () => 0,
    logFault: (where, fault) => t.fail(`${where} ${String(fault)}`),
    ...environment,
    openNode: (endpoint, parameters) => closedAfter(openNode(endpoint, parameters)),
    openCompact: (url, parameters) => closedAfter(openCompact(url, parameters)),
  });
  const settings: ChainSettings = { ...SETTINGS, ...given };
  await actor.configure(settings);
  return { actor, settings };
}
