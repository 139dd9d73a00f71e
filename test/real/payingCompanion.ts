// Companions that pay on a real node: opened, synced, and their payments signed and proved by the reference's tool.
import { encodeReceiver, parseAddress } from '@wallet-companion/zcash/addresses';
import { networkParameters } from '@wallet-companion/zcash/network';
import type { ExecutionContext } from 'ava';
import type { Output } from '../../src/protocol/operations.ts';
import { type Answer, type Service, type ServiceOptions, startService } from '../helpers/service.ts';
import type { PcztTool } from './pcztTool.ts';
import type { Zebrad } from './zebrad.ts';

export const PASSWORD = 'a password for tests';
/** A block's reward. */
export const SUBSIDY = 625_000_000;
/** Nobody's here: blocks that pay it hold nothing for the wallets. */
export const NOBODY = 'tmJymvcUCn1ctbghvTJpXBwHiMEB8P6wxNV';

export type Prepared = Output<'payments.prepare'>;
export type Payment = Output<'payments.get'>;

export const ok = <T>(t: ExecutionContext, { status, body }: Answer<T>): T => {
  t.is(status, 200, JSON.stringify(body));
  return body;
};

export async function sync(t: ExecutionContext, service: Service, source: 'node' | 'compact'): Promise<void> {
  t.like(ok(t, await service.post('/api/sync', { source })), { caught_up: true });
}

export const prepare = async (t: ExecutionContext, service: Service, wanted: object): Promise<Prepared> =>
  ok(
    t,
    await service.post<Prepared>('/api/payments/prepare', { confirmations: 1, try_anyway: true, ...wanted }),
  );

/** Signed by the crates. The companion makes the proofs; those of Sapling come back in a second copy, as from another machine. */
export async function signAndProve(
  t: ExecutionContext,
  { tool }: { readonly tool: PcztTool },
  service: Service,
  prepared: Prepared,
): Promise<void> {
  const given = Buffer.from(prepared.pczt, 'base64');
  t.deepEqual(tool.json('verify', given), { complaints: [] });
  const path = `/api/payments/${prepared.payment_id}`;
  const combine = async (copy: Buffer): Promise<Output<'payments.combine'>> =>
    ok(t, await service.post(`${path}/combine`, { pczt: copy.toString('base64') }));
  const signed = await combine(tool.run('sign', [given]));
  t.true(signed.signatures_added > 0);
  t.is(signed.status, 'prepared');
  const isSapling = prepared.notes.some(({ pool }) => pool === 'sapling');
  const proved = isSapling
    ? await combine(tool.run('prove', [given]))
    : ok(t, await service.post<Payment>(`${path}/prove`, {}));
  t.deepEqual([proved.status, proved.missing], ['complete', []]);
}

export const broadcast = (service: Service, { payment_id }: Pick<Payment, 'payment_id'>, source: string) =>
  service.post<Payment>(`/api/payments/${payment_id}/broadcast`, { source });

/** The node takes a transaction in once it has verified its proofs. */
export async function untilInMempool({ node }: { readonly node: Zebrad }, count: number): Promise<void> {
  while ((await node.rpc<string[]>('getrawmempool')).length < count);
}

/** Of a unified address: else Sapling funds would pay its Sapling receiver, which shows nothing. */
export function withoutSapling(address: string): string {
  const params = networkParameters('regtest');
  return encodeReceiver('orchard', parseAddress(address, params).orchard!, params);
}

/** With a new phrase, or with keys of before; viewing keys are of the first accounts of a phrase. `asIs`: see `ServiceOptions`. */
export async function openCompanion(
  t: ExecutionContext,
  config: object,
  keys?: string | { readonly viewingKeys: readonly string[] },
  { asIs = false }: Pick<ServiceOptions, 'asIs'> = {},
): Promise<Service> {
  const service = await startService(t, { config, asIs });
  t.teardown(async () => {
    await service.stop();
    service.remove();
  });
  const made = async (route: string, input: object) =>
    ok(t, await service.post(route, { password: PASSWORD, birthday_height: 1, ...input }));
  if (keys === undefined) await made('/api/wallet/create', {});
  else if (typeof keys === 'string') await made('/api/wallet/restore', { mnemonic: keys });
  else {
    const [first, ...others] = keys.viewingKeys;
    await made('/api/wallet/import-viewing-key', { viewing_key: first });
    for (const [i, viewing_key] of others.entries())
      await made('/api/accounts/import-viewing-key', { viewing_key, account_index: i + 1 });
  }
  return service;
}
