// The programs of a shop with BTCPay: a companion that follows a devnet, the bridge, and the plugin that is told.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Devnet } from '@wallet-companion/devnet';
import { blockHashToHex, txIdToHex } from '@wallet-companion/zcash/identifiers';
import type { ExecutionContext } from 'ava';
import { untilTestEnds } from '../helpers/childProcess.ts';
import { startDevnetService } from '../helpers/devnetService.ts';
import { PROGRAM } from '../helpers/program.ts';
import { type Service, UNHURRIED } from '../helpers/service.ts';
import { Plugin } from './plugin.ts';

type Transaction = ReturnType<Devnet['pay']>;

export const PASSWORD = 'correct horse battery';

export const txidOf = ({ txid }: Transaction): string => txIdToHex(txid);
export const blockOf = ({ tip }: Devnet): string => `block ${blockHashToHex(tip.hash)}`;

export async function startPluginBed(t: ExecutionContext, options: { readonly isOld?: boolean } = {}) {
  const { devnet, service } = await startDevnetService(t, { seed: t.title, ironwoodFrom: 1 });
  const asked = async (route: string, body: object = {}): Promise<void> => {
    const answer = await service.post(route, body);
    t.is(answer.status, 200, `${route}: ${JSON.stringify(answer.body)}`);
  };
  await asked('/api/wallet/create', { password: PASSWORD, birthday_height: 1 });
  devnet.mineEmpty(1);
  await asked('/api/follow', { enabled: true, keep_open: true, password: PASSWORD });
  await asked('/api/sync');
  const plugin = new Plugin(options);
  const callback = await plugin.listen(t);
  let bridge = await startBridge(t, service, callback);
  const base = bridge.url;
  plugin.connect(base);
  /** The companion has the chain's tip, and the bridge has told of it. */
  const synced = async (): Promise<void> => {
    await asked('/api/sync');
    await plugin.sees(() => plugin.reported.includes(blockOf(devnet)));
  };
  return {
    devnet,
    service,
    plugin,
    base,
    /** A POST to the companion, which succeeds. */
    asked,
    /** Into the mempool, where the companion looks. */
    send: async (transaction: Transaction): Promise<void> => {
      devnet.mempool.put(transaction);
      await asked('/api/mempool');
      await plugin.sees(() =>
        plugin.reported.some((reported) => reported.startsWith(`tx ${txidOf(transaction)}`)),
      );
    },
    mine: async (transactions: readonly Transaction[] = [], blocks = 1): Promise<void> => {
      devnet.mine({ transactions });
      devnet.mineEmpty(blocks - 1);
      await synced();
    },
    /** Drops so many blocks, and mines one more in their place. */
    reorganise: async (depth: number): Promise<void> => {
      devnet.reorganise(depth);
      await synced();
    },
    /** The bridge ends, a block is mined, another bridge starts. */
    restart: async (): Promise<void> => {
      await bridge.end();
      devnet.mineEmpty(1);
      await asked('/api/sync');
      bridge = await startBridge(t, service, callback, new URL(bridge.url).port);
      await synced();
    },
  };
}

async function startBridge(t: ExecutionContext, service: Service, callback: string, port = '0') {
  const { configDir } = service;
  const options = ['--url', service.url, '--config-dir', configDir, '--port', port, '--callback', callback];
  const child = untilTestEnds(
    t,
    spawn(process.execPath, [...UNHURRIED, PROGRAM, 'bridge', 'btcpay', ...options], {
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const closed = once(child, 'close');
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      const [, shown] = /^For BTCPay\D* (http:\S+\/)\s/m.exec(output) ?? [];
      if (shown !== undefined) resolve(shown);
    });
    closed.then(([code]) => reject(new Error(`the bridge ended with ${code}: ${output}`)), reject);
  });
  const end = async (): Promise<void> => {
    child.kill('SIGTERM');
    await closed;
  };
  return { url, end };
}
