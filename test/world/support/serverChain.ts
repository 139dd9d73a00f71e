// A node of the test's own with the recorded chain (notes and payments in three pools) in it, and every compact server that
// is installed in front of it.

import { readFixtureJson, readFixtureLines } from '@wallet-companion/zcash/test/fixtures';
import type { ExecutionContext } from 'ava';
import { untilTrue } from '../../helpers/foreignProgram.ts';
import { NOBODY } from '../../real/payingCompanion.ts';
import { startZebrad, type Zebrad } from '../../real/zebrad.ts';
import {
  type Behind,
  type CompactServer,
  KINDS,
  type OwnServer,
  serverAt,
  startCompactServer,
} from './compactServers.ts';

interface Keys {
  readonly mnemonic: string;
  readonly accounts: readonly { readonly defaultAddress: string }[];
}
export const knownKeys = (): Keys => readFixtureJson<Keys>('known-seed', 'regtest', 'keys.json');

export interface ServedChain {
  readonly node: Zebrad;
  readonly behind: Behind;
  readonly nu7: number | undefined;
  /** The node's own first. */
  readonly servers: readonly CompactServer[];
  readonly started: readonly OwnServer[];
  mine(blocks: number, address?: string): Promise<void>;
  /** Until each server announces the node's tip. */
  caughtUp(): Promise<void>;
}

/** The servers begin before the blocks do, or after them. */
export async function serveChain(
  t: ExecutionContext,
  options: { readonly nu7: number | undefined; readonly recorded: boolean; readonly kinds?: typeof KINDS },
): Promise<ServedChain> {
  const { nu7, recorded, kinds = KINDS } = options;
  const node = await startZebrad({ minerAddress: knownKeys().accounts[0]!.defaultAddress, nu7 });
  t.teardown(() => node.stop());
  const behind = { hostPort: node.hostPort, tip: () => node.rpc<number>('getblockcount') };
  const blocks = recorded ? readFixtureLines('known-seed', 'zebra-recorded', 'raw-blocks.hex') : [];
  for (const block of blocks) t.is(await node.rpc('submitblock', block), null);
  // Just after a reorganisation the node's template may still be for the branch that it left.
  const mine = (count: number, address = NOBODY): Promise<void> =>
    untilTrue('the node takes its own block', () =>
      node.rpc('generatetoaddress', count, address).then(
        () => true,
        (error: Error) => {
          if (!error.message.includes('block was rejected')) throw error;
          return false;
        },
      ),
    );
  if (!recorded) await mine(1);
  const started: OwnServer[] = [];
  for (const kind of kinds) {
    if (kind.program === undefined) t.log(`${kind.name} is not installed: left out`);
    else if (nu7 !== undefined && !kind.knowsNu7) t.log(`${kind.name} does not know NU7: left out`);
    else started.push(await startCompactServer(t, kind, behind));
  }
  const servers = [serverAt(t, 'zebrad', node.compactUrl, behind), ...started];
  const caughtUp = async (): Promise<void> => {
    for (const server of servers) await server.caughtUp();
  };
  await caughtUp();
  return { node, behind, nu7, servers, started, mine, caughtUp };
}
