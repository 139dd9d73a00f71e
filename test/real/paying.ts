// The steps of a payment over HTTP, signed by the reference's crates.
import { proverIsBuilt } from '@wallet-companion/prover';
import type { ExecutionContext } from 'ava';
import type { Output } from '../../src/protocol/operations.ts';
import type { Answer, Service } from '../helpers/service.ts';
import type { PcztTool } from './pcztTool.ts';

export type Prepared = Output<'payments.prepare'>;
export type Payment = Output<'payments.get'>;

export const ok = <T>(t: ExecutionContext, { status, body }: Answer<T>): T => {
  t.is(status, 200, JSON.stringify(body));
  return body;
};

export const prepare = async (t: ExecutionContext, service: Service, wanted: object): Promise<Prepared> =>
  ok(t, await service.post<Prepared>('/api/payments/prepare', { confirmations: 1, ...wanted }));

/**
 * The companion's own module makes the proofs where it was built; those of Sapling, and all of them where it was not, come
 * back in a second copy, as from another machine.
 */
export async function signAndProve(
  t: ExecutionContext,
  tool: PcztTool,
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
  const byModule = proverIsBuilt() && prepared.notes.every(({ pool }) => pool !== 'sapling');
  const proved = byModule
    ? ok(t, await service.post<Payment>(`${path}/prove`, {}))
    : await combine(tool.run('prove', [given]));
  if (byModule) t.log(`proofs of ${prepared.payment_id} by the module`);
  t.deepEqual([proved.status, proved.missing], ['complete', []]);
}

export const broadcast = (service: Service, { payment_id }: Pick<Payment, 'payment_id'>, source: string) =>
  service.post<Payment>(`/api/payments/${payment_id}/broadcast`, { source });

export const paymentOf = async (t: ExecutionContext, service: Service, id: string): Promise<Payment> =>
  ok(t, await service.get<Payment>(`/api/payments/${id}`));
