// What happens to a compact server while a wallet scans from it: killed, restarted, without what it knew, hanging, replaced by
// a server of another kind behind the same URL. A scan ends in what is true, or in an error that says so.

import test, { type ExecutionContext } from 'ava';
import { KINDS, type OwnServer } from './support/compactServers.ts';
import { knownKeys, type ServedChain, serveChain } from './support/serverChain.ts';
import { allAgree, openWallets, sync, type Wallet } from './support/wallets.ts';

const BLOCKS = 150;
/** Errors that say what is the matter; a later request helps. */
const SAID: readonly unknown[] = [
  'COMPACT_SERVER_UNREACHABLE',
  'COMPACT_SERVER_BAD_RESPONSE',
  'UPSTREAM_TIMEOUT',
  'NODE_BEHIND',
];

const TROUBLES: Readonly<Record<string, (server: OwnServer) => Promise<void>>> = {
  'restarted in order': (server) => server.restart(),
  killed: (server) => server.restart('SIGKILL'),
  'started without what it knew': (server) => server.resync(),
};

/** Blocks come, and while they are scanned the server has its trouble. */
async function scannedMeanwhile(
  t: ExecutionContext,
  chain: ServedChain,
  wallet: Wallet,
  what: string,
  trouble: () => Promise<void>,
): Promise<void> {
  await chain.mine(BLOCKS);
  await chain.mine(1, knownKeys().accounts[0]!.defaultAddress);
  const [answer] = await Promise.all([sync(wallet), trouble()]);
  if (answer.status !== 200) t.true(SAID.includes((answer.body as { code?: unknown }).code), what);
  t.log(`${what}: ${answer.status === 200 ? 'scanned' : String((answer.body as { code?: string }).code)}`);
}

for (const kind of KINDS) {
  if (kind.program === undefined) {
    test.skip(`a scan from ${kind.name} (skipped: not installed)`, () => undefined);
    continue;
  }
  test.serial(`a scan from ${kind.name}, whatever happens to it`, async (t) => {
    const chain = await serveChain(t, { nu7: undefined, recorded: true, kinds: [kind] });
    const [server] = chain.started;
    const wallets = await openWallets(t, chain);
    const wallet = wallets.find(({ name }) => name === kind.name)!;
    for (const [what, trouble] of Object.entries(TROUBLES)) {
      await scannedMeanwhile(t, chain, wallet, what, () => trouble(server!));
      await allAgree(t, chain, wallets, what);
    }

    server!.hold();
    await scannedMeanwhile(t, chain, wallet, 'hanging', () => Promise.resolve());
    server!.release();
    await allAgree(t, chain, wallets, 'it answers again');

    const other = KINDS.find(({ name, program }) => name !== kind.name && program !== undefined);
    if (other === undefined) return;
    await scannedMeanwhile(t, chain, wallet, `replaced by ${other.name}`, () => server!.replace(other));
    await allAgree(t, chain, wallets, `${other.name} in its place`);
  });
}
