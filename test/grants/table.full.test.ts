// What the wallet itself answers to grants: of payments and invoices that they made and that others made, with every operation that
// names one, and how much an answer tells them.

import test, { type ExecutionContext } from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { answerTo } from '../../src/protocol/dispatch.ts';
import { heardBy } from '../../src/protocol/events.ts';
import { callingGrant, type GrantLimits, type Permit } from '../../src/protocol/grants.ts';
import {
  accessRequest,
  type OperationName,
  operationNames,
  operations,
} from '../../src/protocol/operations.ts';
import { inputFields } from '../../src/protocol/textInput.ts';
import { companionWorld, ORCHARD_FIRST } from '../helpers/companionWorld.ts';
import { PASSWORD } from '../helpers/walletHarness.ts';
import { ALL_SCOPES, verdict } from './reached.ts';

const SHOP = 'tmEZhbWHTpdKMw5it8YDspUXSMGQyFwovpU';
const MAKERS = ['own', 'another', 'owner'] as const;
/** Of these the last one limits no payment. */
const LIMITS: readonly GrantLimits[] = [
  {},
  { payment_zatoshi: 5_000 },
  { day_zatoshi: 5_000 },
  { payees: [] },
  { calls_per_minute: 60_000 },
];

const permitWith = (scopes: Permit['scopes'], more: Partial<Permit> = {}): Permit => ({
  id: 'own',
  name: 'own',
  scopes,
  wallets: ['*'],
  limits: {},
  ...more,
});

/** A wallet with a payment and an invoice of each maker, beside one of neither. */
async function world(t: ExecutionContext) {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund(...MAKERS.map(() => ({ pool: 'ironwood', zatoshi: 1_000_000 }) as const));
  const call = async (name: OperationName, input: object, permit: Permit | undefined): Promise<never> => {
    const grant = permit && callingGrant(permit);
    const work = async () => {
      const context = { requestId: 'test', ...(grant && { grant }) };
      const result = await bed.wallet.link.dispatch(name, input as never, context);
      return (result.ok ? result.value : { failed: result.error.code }) as never;
    };
    if (permit === undefined) return work();
    const failed = (error: { readonly code: string }) => ({ failed: error.code }) as never;
    return bed.wallet.grants.access.during(permit, accessRequest(name, undefined), work).catch(failed);
  };
  const named: { who: string; payment_id: string; invoice_id: string; pczt: string }[] = [];
  for (const who of MAKERS) {
    const permit = who === 'owner' ? undefined : permitWith(['prepare', 'invoice'], { id: who });
    const paid = { address: SHOP, zatoshi: 10_000, privacy: ['transparent_recipients'] };
    const { payment_id, pczt } = await call('payments.prepare', paid, permit);
    const { invoice_id } = await call('invoices.create', { amount: '0.1', reference: who }, permit);
    named.push({ who, payment_id, invoice_id, pczt });
  }
  return {
    bed,
    call,
    named,
    unknown: { who: 'unknown', payment_id: 'f'.repeat(32), invoice_id: 'f'.repeat(32), pczt: named[0]!.pczt },
  };
}

test('a grant has to do with what its row lets it, of its own and of others', async (t) => {
  const { bed, call, named, unknown } = await world(t);
  const wrong: string[] = [];
  let compared = 0;
  // What ends a payment or an invoice comes last.
  const ends = (name: string): number => Number(/discard|cancel$/.test(name));
  for (const name of operationNames.toSorted((a, b) => ends(a) - ends(b)))
    for (const { who, payment_id, ...one } of [...named, unknown]) {
      const all = { ...one, payment_id, payment_ids: [payment_id], wait_seconds: 0 };
      const fields = inputFields(name).map((field) => field.name);
      if (!fields.some((field) => /^(payment|invoice)_ids?$/.test(field))) continue;
      const { password: _, ...sample } = examples[name].input as Record<string, unknown>;
      const mine = Object.entries(all).filter(([field]) => fields.includes(field));
      const input = { ...sample, ...Object.fromEntries(mine) };
      const isInvoice = fields.includes('invoice_id');
      for (const scope of [undefined, ...ALL_SCOPES])
        for (const limits of scope === undefined ? [{}] : LIMITS) {
          const holder = { is: 'grant', scopes: [scope ?? 'admin'], wallets: ['*'] } as const;
          const isOpen = verdict(holder, name, 'default') === 'ok';
          const seesOthers = isInvoice
            ? [undefined, 'read', 'admin'].includes(scope)
            : ['{}', '{"calls_per_minute":60000}'].includes(JSON.stringify(limits));
          const expected = !isOpen
            ? 'GRANT_SCOPE'
            : who === 'unknown' || (isInvoice && !seesOthers && who !== 'own')
              ? 'NOT_FOUND'
              : seesOthers || who === 'own'
                ? 'admitted'
                : 'GRANT_LIMIT';
          const answer: { failed?: string } = await call(
            name,
            input,
            scope && permitWith([scope], { limits }),
          );
          const isRefused = /^GRANT_|^NOT_FOUND$/.test(answer.failed ?? '');
          const was = isRefused ? answer.failed : 'admitted';
          if (was !== expected)
            wrong.push(`${name} ${scope} ${JSON.stringify(limits)} ${who}: ${answer.failed}`);
          compared += 1;
        }
    }
  t.deepEqual(wrong, []);
  t.true(compared > 1_000);
  // A lock and a password come before it.
  const limited = permitWith(['send'], { limits: { day_zatoshi: 0 } });
  await bed.wallet.call('wallet.lock');
  const others = { payment_id: named[2]!.payment_id };
  t.like(await call('payments.broadcast', others, limited), { failed: 'WALLET_LOCKED' });
  t.like(await call('payments.broadcast', { ...others, password: PASSWORD }, limited), {
    failed: 'GRANT_LIMIT',
  });
});

test('lists have what the grant may see, and answers no more than that', async (t) => {
  const { bed, call, named } = await world(t);
  await bed.wallet.call('wallet.device', { device: 'keystone', password: PASSWORD });
  const paidTo = async (permit: Permit | undefined): Promise<readonly unknown[]> => {
    const { payments }: { payments: { payment_id: string }[] } = await call('payments.list', {}, permit);
    return payments.map(({ payment_id }) => named.find((one) => one.payment_id === payment_id)?.who);
  };
  const heardOf = (permit: Permit): readonly unknown[] =>
    bed.wallet.events
      .filter((event) => event.event === 'payment.changed' && heardBy(permit, event) !== undefined)
      .map(
        ({ data }) =>
          named.find((one) => one.payment_id === (data as { payment_id: string }).payment_id)?.who,
      );
  for (const limits of LIMITS.slice(1, 4)) {
    t.deepEqual(await paidTo(permitWith(['read'], { limits })), ['own']);
    t.deepEqual(heardOf(permitWith(['send'], { limits })), ['own']);
  }
  t.deepEqual(heardOf(permitWith(['send'])), MAKERS);
  for (const permit of [undefined, permitWith(['send']), permitWith(['read'], { limits: LIMITS[4]! })])
    t.is((await paidTo(permit)).length, 3);

  const till = permitWith(['invoice']);
  const invoices = { references: (list: { reference: string }[]) => list.map(({ reference }) => reference) };
  const own: { invoices: { reference: string }[]; sequence: number } = await call('invoices.list', {}, till);
  t.deepEqual(invoices.references(own.invoices), ['own']);
  t.is(own.sequence, 1, 'how often the others changed is not told');
  t.like(await call('invoices.list', {}, permitWith(['read'])), { sequence: 3 });
  const again: { invoice_id: string } = await call(
    'invoices.create',
    { amount: '0.1', reference: 'own' },
    till,
  );
  t.is(again.invoice_id, named[0]!.invoice_id);
  const made: { invoice_id: string } = await call(
    'invoices.create',
    { amount: '0.2', reference: 'owner' },
    till,
  );
  t.false(
    named.some(({ invoice_id }) => invoice_id === made.invoice_id),
    'each numbers its own',
  );

  for (const scope of ALL_SCOPES) {
    const permit = permitWith([scope]);
    const signs = !['sync', 'invoice'].includes(scope);
    const { device }: { device: unknown } = await call('wallet.status', {}, permit);
    t.is(device !== null, signs, scope);
    const reads = ['read', 'admin'].includes(scope);
    const { accounts_searched }: { accounts_searched: unknown } = await call('sync.status', {}, permit);
    t.is(accounts_searched !== null, reads, scope);
    if (operations['sync.run'].reach.includes(scope) || scope === 'admin') {
      bed.devnet.payTo(bed.address, { pool: 'ironwood', zatoshi: 5n });
      t.like(await call('sync.run', {}, permit), { notes_found: Number(reads), notes_new: Number(reads) });
    }
  }
  const whole: object = await call(
    'system.status',
    { known: true },
    permitWith(['read'], { wallets: ['default'] }),
  );
  const hidden = { last_scan_height: null, last_scan_time: null, clock_warning: null };
  const told = { ...whole, clock_warning: 'It is behind.' };
  t.false(Object.keys(hidden).some((member) => told[member as keyof typeof told] === null));
  const others = permitWith(['read'], { wallets: ['savings'] });
  t.deepEqual(answerTo(callingGrant(others), 'system.status', told), { ...told, ...hidden });
  t.like(await call('system.status', { known: true }, others), { ...hidden });
});
