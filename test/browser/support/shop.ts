// The example shop from docs/examples, run as it stands, with a companion that has it as its hook.

import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Devnet } from '@wallet-companion/devnet';
import { encodeUnifiedViewingKey } from '@wallet-companion/zcash/addresses';
import { deriveViewingKeys, toIncomingViewingKeys } from '@wallet-companion/zcash/keys';
import { regtestParameters } from '@wallet-companion/zcash/network';
import type { ExecutionContext } from 'ava';
import type { Output } from '../../../src/protocol/operations.ts';
import { untilTestEnds } from '../../helpers/childProcess.ts';
import { type ServiceOptions, startService } from '../../helpers/service.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';
import { until } from '../../helpers/until.ts';

type Invoice = Output<'invoices.get'>;

const HOOK_KEY = 'a key of more than sixteen characters';
const PASSWORD = 'correct horse battery';
const PARAMS = regtestParameters({ nu6_3: 1 });

export interface Signing {
  readonly key?: string;
  /** In seconds. */
  readonly at?: number;
}

export interface ShopBed {
  readonly devnet: Devnet;
  readonly url: string;
  /** Every line that the shop has printed. */
  readonly lines: readonly string[];
  /** The companion's address stays the same over its restarts. */
  readonly companion: string;
  /** A delivery of the hook that the companion did not make; the shop's answer. */
  deliver(data: object, signing?: Signing): Promise<number>;
  stop(): Promise<unknown>;
  /** After `stop`: the wallet is locked. */
  start(): Promise<void>;
  unlock(): Promise<void>;
  /** A POST to the companion, which succeeds. */
  asked(route: string, body?: object): Promise<void>;
  /** The latest invoice, as the companion has it. */
  invoice(): Promise<Invoice>;
  /** Into a block, and the companion reads it. */
  pay(invoice: Invoice, zatoshi: number): Promise<void>;
  scan(): Promise<void>;
  /** Until the shop has printed this. */
  says(line: string): Promise<void>;
  /** The clocks of the companion and the shop go ahead of the customer's. */
  timePasses(ms: number): void;
}

/** For a Node whose clock, in all its threads, is ahead by what the file says. */
const clockOf = (file: string): string =>
  `data:text/javascript,${encodeURIComponent(`
    import { readFileSync } from 'node:fs';
    const now = Date.now;
    Date.now = () => now() + Number(readFileSync(${JSON.stringify(file)}, 'utf8'));
  `)}`;

async function startProgram(t: ExecutionContext, folder: string, clock: string, companionUrl: string) {
  const key = path.join(folder, 'shop.key');
  writeFileSync(key, `${HOOK_KEY}\n`, { mode: 0o600 });
  const child = untilTestEnds(
    t,
    spawn(process.execPath, ['--import', clock, 'docs/examples/shop/shop.mjs', '0', companionUrl, key], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  const printed = (isIt: (line: string) => boolean) =>
    new Promise<string>((resolve) => {
      const look = () => {
        const found = lines.find(isIt);
        if (found === undefined) return;
        reader.off('line', look);
        resolve(found);
      };
      reader.on('line', look);
      look();
    });
  const listening = await printed((line) => line.startsWith('listening on '));
  const hook = { name: 'shop', events: ['invoice.changed'], secret_file: key };
  return { printed, lines, url: listening.slice('listening on '.length), hook };
}

/** `viewing`: the wallet has no phrase, but this much of a made-up one. */
export async function startShop(
  t: ExecutionContext,
  { viewing }: { readonly viewing?: 'full' | 'incoming' | undefined } = {},
): Promise<ShopBed> {
  const devnet = new Devnet({ params: PARAMS, seed: t.title });
  const config = {
    network: 'regtest',
    activation_heights: { nu6_3: 1 },
    node_url: await devnet.node.listen(),
    auto_lock_seconds: 0,
    invoice_one_confirmation_below: 0,
  };
  const folder = temporaryFolder(t);
  const ahead = path.join(folder, 'ahead');
  const timePasses = (ms: number): void => writeFileSync(ahead, String(ms));
  timePasses(0);
  const clock = clockOf(ahead);
  const run = (options: ServiceOptions) =>
    startService(t, { ...options, within: ([node = '', ...rest]) => [node, '--import', clock, ...rest] });
  let service = await run({ config });
  t.teardown(async () => {
    await service.stop();
    await devnet.close();
  });
  const { url: companion, folder: kept, configDir } = service;
  const asked = async (route: string, body: object = {}): Promise<void> => {
    t.is((await service.post(route, body)).status, 200, route);
  };
  const made = { password: PASSWORD, birthday_height: 1 };
  if (viewing === undefined) await asked('/api/wallet/create', made);
  else await asked('/api/wallet/import-viewing-key', { viewing_key: viewingKey(viewing), ...made });
  devnet.mineEmpty(1);
  const shop = await startProgram(t, folder, clock, companion);
  const hooked = { ...config, on_event: [{ ...shop.hook, url: `${shop.url}/hook` }] };
  writeFileSync(path.join(configDir, 'config.json'), JSON.stringify(hooked));
  process.kill(service.pid ?? (t.fail() as never), 'SIGHUP');
  await until(() => service.output().includes('config.json read again'));
  const scan = () => asked('/api/sync');
  return {
    devnet,
    companion,
    lines: shop.lines,
    asked,
    url: shop.url,
    scan,
    deliver: async (data, { key = HOOK_KEY, at = Math.floor(Date.now() / 1000) } = {}) => {
      const body = JSON.stringify({ event: 'invoice.changed', data });
      const signature = `v1=${createHmac('sha256', key).update(`${at}.${body}`).digest('hex')}`;
      const headers = { 'wallet-companion-timestamp': String(at), 'wallet-companion-signature': signature };
      return (await fetch(`${shop.url}/hook`, { method: 'POST', headers, body })).status;
    },
    stop: () => service.stop(),
    start: async () => {
      service = await run({ folder: kept, args: ['--port', new URL(companion).port] });
    },
    unlock: () => asked('/api/wallet/unlock', { password: PASSWORD }),
    invoice: async () => {
      const { body } = await service.get<Output<'invoices.list'>>('/api/invoices?limit=1');
      return body.invoices[0]!;
    },
    pay: ({ address }, zatoshi) => {
      devnet.payTo(address, { pool: 'ironwood', zatoshi });
      return scan();
    },
    says: async (line) => void (await shop.printed((printed) => printed === line)),
    timePasses,
  };
}

function viewingKey(kind: 'full' | 'incoming'): string {
  const keys = deriveViewingKeys(new Uint8Array(64).fill(7), PARAMS, 0);
  return encodeUnifiedViewingKey(kind === 'full' ? keys : toIncomingViewingKeys(keys), PARAMS);
}
