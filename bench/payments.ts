// A payment that is signed here, as people run the program: from the password to the network, once its proofs are made. Most of it is
// the password's key derivation. Each payment is in the node's mempool before its time counts.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Devnet } from '@wallet-companion/devnet';
import { call, start, stop } from './companionProcess.ts';

const PAYMENTS = 11;
const PASSWORD = 'of the bench';

interface Payment {
  readonly payment_id: string;
  readonly txid: string;
}

export async function run(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'companion-bench-'));
  const devnet = new Devnet({ seed: 'bench of payments' });
  const config = path.join(folder, 'config');
  mkdirSync(config);
  writeFileSync(
    path.join(config, 'config.json'),
    JSON.stringify({ network: 'regtest', node_url: await devnet.node.listen(), auto_lock_seconds: 0 }),
  );
  const companion = await start(config, path.join(folder, 'data'));
  const post = <T>(route: string, body: object) => call<T>(companion, route, body);
  const measured = { sign: [] as number[], send: [] as number[], both: [] as number[] };
  try {
    const { unified_address: address } = await post<{ unified_address: string }>('/api/wallet/create', {
      password: PASSWORD,
      birthday_height: 1,
    });
    for (let i = 0; i < PAYMENTS; i++) devnet.payTo(address, { pool: 'ironwood', zatoshi: 1_000_000n });
    devnet.mineEmpty(12);
    await post('/api/sync', {});
    for (let i = 1; i <= PAYMENTS; i++) {
      const { payment_id, txid } = await post<Payment>('/api/payments/prepare', {
        address,
        zatoshi: 100_000,
      });
      const of = (step: string) => `/api/payments/${payment_id}/${step}`;
      await post(of('prove'), {});
      const began = performance.now();
      await post(of('sign'), { txid, password: PASSWORD, signer: 'own' });
      const signed = performance.now();
      // As the page does, which has the password.
      await post(of('broadcast'), { password: PASSWORD });
      const sent = performance.now();
      if (devnet.mempool.size !== i) throw new Error('the payment is not in the mempool');
      measured.sign.push(signed - began);
      measured.send.push(sent - signed);
      measured.both.push(sent - began);
    }
    console.table(
      Object.entries(measured).map(([step, times]) => ({
        step,
        'median ms': at(times, 0.5),
        'slowest ms': at(times, 1),
      })),
    );
  } finally {
    await stop(companion);
    await devnet.close();
    rmSync(folder, { recursive: true });
  }
}

const at = (times: readonly number[], share: number): number =>
  Math.round(times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!);
