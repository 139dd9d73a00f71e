// A companion left alone for as long as WALLET_COMPANION_SOAK_MINUTES says (an evening: 480): two wallets with hooks follow a
// real node and a server in front of it, in real time. Blocks come faster than on the network, and what may happen happens:
// payments, reorganisations, a server that is killed or hangs, and in the first quarter a companion that is killed.

import { existsSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Output } from '../../src/protocol/operations.ts';
import { untilTrue } from '../helpers/foreignProgram.ts';
import { seededRandom } from '../helpers/seededRandom.ts';
import { type Service, startService } from '../helpers/service.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { NOBODY, ok, PASSWORD } from '../real/payingCompanion.ts';
import { heightsWith } from '../real/zebrad.ts';
import { LIGHTWALLETD } from './support/compactServers.ts';
import { type ServedChain, serveChain } from './support/serverChain.ts';

const MINUTES = Number(process.env['WALLET_COMPANION_SOAK_MINUTES'] ?? 10);
const MINUTE_MS = 60_000;
const BLOCK_MS = 2_000;
const NU7_HEIGHT = 60;
const CHECK_EVERY_MINUTES = 5;
/** Every so many blocks. */
const OFTEN = {
  payment: 45,
  reorganisation: 60,
  'server killed': 97,
  'server hangs': 130,
  'companion killed': 70,
};
const HANG_MS = 30_000;
const MOST_GROWTH_BYTES = 20 * 2 ** 20;
const WALLETS = { default: '/api', savings: '/api/wallets/savings' } as const;
type WalletName = keyof typeof WALLETS;
const NAMES = Object.keys(WALLETS) as WalletName[];

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Paid {
  readonly wallet: WalletName;
  readonly height: number;
  readonly hash: string;
  readonly zatoshi: number;
}

/** What the system says of a process, and of its folder. */
function held({ pid, dataDir }: Service) {
  const process = `/proc/${pid}`;
  const rss = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`${process}/status`, 'utf8'))?.[1];
  const handles = readdirSync(`${process}/fd`).map((name) => {
    try {
      return readlinkSync(`${process}/fd/${name}`);
    } catch {
      return '';
    }
  });
  const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
  const bytes = files.map((name) => statSync(path.join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0);
  return {
    rss: Number(rss) * 1_024,
    sockets: handles.filter((target) => target.startsWith('socket:')).length,
    files: handles.filter((target) => target.startsWith(dataDir)).length,
    dataBytes: bytes.reduce((sum, size) => sum + size, 0),
  };
}

class Soak {
  readonly #t: ExecutionContext;
  readonly #chain: ServedChain;
  readonly #paid: Paid[] = [];
  readonly #addresses = new Map<WalletName, string>();
  readonly #random: (length: number) => Uint8Array;
  readonly counts: Record<string, number> = {};
  service!: Service & { readonly folder: string };

  constructor(t: ExecutionContext, chain: ServedChain) {
    this.#t = t;
    this.#chain = chain;
    this.#random = seededRandom('soak');
  }

  async start(hook: string): Promise<void> {
    const { node, servers } = this.#chain;
    this.service = await startService(this.#t, {
      asIs: true,
      config: {
        network: 'regtest',
        node_url: node.url,
        compact_server_url: servers.at(-1)!.url,
        activation_heights: heightsWith(NU7_HEIGHT),
        on_event: [{ name: 'all', events: ['change', 'wallet.behind'], command: [hook] }],
      },
    });
    for (const [wallet, api] of Object.entries(WALLETS) as [WalletName, string][]) {
      const t = this.#t;
      ok(
        t,
        await this.service.post(`${api}/wallet/create`, {
          password: PASSWORD,
          birthday_height: 1,
        }),
      );
      const { unified_address } = ok(t, await this.service.get<Output<'address.get'>>(`${api}/address`));
      this.#addresses.set(wallet, unified_address);
      ok(
        t,
        await this.service.post(`${api}/follow`, {
          enabled: true,
          source: wallet === 'default' ? 'node' : 'compact',
          keep_open: true,
          password: PASSWORD,
        }),
      );
    }
  }

  #did(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  /** One block, and what comes with it. */
  async block(place: number, isEarly: boolean): Promise<void> {
    const { started } = this.#chain;
    const comes = (what: keyof typeof OFTEN): boolean => place % OFTEN[what] === OFTEN[what] - 1;
    if (comes('payment')) await this.#pay();
    else if (comes('reorganisation')) await this.#reorganise();
    else if (comes('server killed') && started.length > 0) {
      this.#did('server killed');
      await started[0]!.restart('SIGKILL');
    } else if (comes('server hangs') && started.length > 0) {
      this.#did('server hangs');
      started[0]!.hold();
      await wait(HANG_MS);
      started[0]!.release();
    } else if (isEarly && comes('companion killed')) await this.#killCompanion();
    else await this.#chain.mine(1);
  }

  async #pay(): Promise<void> {
    const { node, behind } = this.#chain;
    const wallet = NAMES[(this.counts['payment'] ?? 0) % NAMES.length]!;
    this.#did('payment');
    await this.#chain.mine(1, this.#addresses.get(wallet));
    const height = await behind.tip();
    const { miner } = await node.rpc<{ miner: number }>('getblocksubsidy', height);
    const hash = await node.rpc<string>('getblockhash', height);
    this.#paid.push({ wallet, height, hash, zatoshi: Math.round(miner * 1e8) });
  }

  async #reorganise(): Promise<void> {
    this.#did('reorganisation');
    const { node, behind } = this.#chain;
    const depth = 1 + (this.#random(1)[0]! % 4);
    await node.rpc('invalidateblock', await node.rpc('getblockhash', (await behind.tip()) - depth + 1));
    await this.#chain.mine(depth + 1);
  }

  async #killCompanion(): Promise<void> {
    this.#did('companion killed');
    await this.service.kill();
    const { folder } = this.service;
    this.service = await startService(this.#t, { folder, asIs: true });
    for (const api of Object.values(WALLETS))
      ok(this.#t, await this.service.post(`${api}/wallet/unlock`, { password: PASSWORD }));
  }

  /** Both have what the chain says, with nothing done for it. */
  async check(): Promise<ReturnType<typeof held>> {
    const { node, behind } = this.#chain;
    const tip = await behind.tip();
    const balances: Record<string, number> = {};
    for (const [wallet, api] of Object.entries(WALLETS)) {
      let reported: Output<'balance.get'> | undefined;
      await untilTrue(`${wallet} is at block ${tip}`, async () => {
        reported = ok(this.#t, await this.service.get<Output<'balance.get'>>(`${api}/balance`));
        return reported.complete && reported.as_of_height === tip;
      });
      let truth = 0;
      for (const { height, hash, zatoshi, ...paid } of this.#paid)
        if (paid.wallet === wallet && (await node.rpc('getblockhash', height)) === hash) truth += zatoshi;
      this.#t.is(reported?.total_zatoshi, truth, `${wallet} at ${tip}`);
      balances[wallet] = truth;
    }
    const now = held(this.service);
    console.log(JSON.stringify({ tip, ...balances, ...now, ...this.counts }));
    return now;
  }
}

test.serial(`left alone for ${MINUTES} minutes`, async (t) => {
  t.timeout(10 * MINUTES * MINUTE_MS);
  const chain = await serveChain(t, { nu7: NU7_HEIGHT, recorded: false, kinds: [LIGHTWALLETD] });
  await chain.mine(20, NOBODY);
  const heard = path.join(temporaryFolder(t), 'heard');
  const hook = `${heard}.sh`;
  writeFileSync(hook, `#!/bin/sh\ncat >> "${heard}"\n`, { mode: 0o755 });
  const soak = new Soak(t, chain);
  await soak.start(hook);
  const began = Date.now();
  const minutes = (): number => (Date.now() - began) / MINUTE_MS;
  let checked = 0;
  let early: ReturnType<typeof held> | undefined;
  for (let place = 0; minutes() < MINUTES; place++) {
    await soak.block(place, minutes() < MINUTES / 4);
    await wait(BLOCK_MS);
    if (minutes() < checked) continue;
    const now = await soak.check();
    if (minutes() > MINUTES / 2) early ??= now;
    checked += CHECK_EVERY_MINUTES;
  }
  const late = await soak.check();
  t.log(JSON.stringify(soak.counts));
  t.log(`half way ${JSON.stringify(early)}, at the end ${JSON.stringify(late)}`);
  if (early !== undefined) t.true(late.rss - early.rss <= MOST_GROWTH_BYTES);
  t.true(existsSync(heard));
  const reported = readFileSync(heard, 'utf8').trim().split('\n');
  t.true(
    reported.filter((line) => line.includes('change.received')).length >= (soak.counts['payment'] ?? 0) - 1,
  );
  const faults = soak.service.output().split('\n');
  t.deepEqual(
    faults.filter((line) => /"level":(?:50|60)/.test(line)),
    [],
  );
});
