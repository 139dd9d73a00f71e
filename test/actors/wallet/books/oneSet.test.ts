// The books of two years and two accounts fit into one set: nothing is counted twice, each account is opened once, what one
// account gave the other is neither income nor expense, and every assertion holds in each file and in all together.
import test, { type ExecutionContext } from 'ava';
import { companionWorld } from '../../../helpers/companionWorld.ts';
import { PASSWORD } from '../../../helpers/walletHarness.ts';

/** Postings of hledger's or Beancount's text, and its assertions as the program orders them: by day, then as written. */
function balancesOf(t: ExecutionContext, text: string): Map<string, number> {
  const zatoshi = (amount: string): number => Math.round(Number(amount) * 1e8);
  const entries: { day: string; apply: () => void }[] = [];
  const held = new Map<string, number>();
  let day = '';
  for (const line of text.split('\n')) {
    day = /^\d{4}-\d\d-\d\d/.exec(line)?.[0] ?? day;
    const now = day;
    const [, beans = '', asserted] = /^\S+ balance (\S+) {2}(\S+) ~/.exec(line) ?? [];
    const [, account = '', amount, exact] =
      /^ {2}(\S+) {2}(-?[\d.]+) ZEC(?: = ([\d.]+) ZEC)?$/.exec(line) ?? [];
    if (asserted !== undefined)
      // At the start of the day.
      entries.unshift({
        day: now,
        apply: () => t.is(held.get(beans) ?? 0, zatoshi(asserted), `${now} ${beans}`),
      });
    else if (amount !== undefined)
      entries.push({
        day: now,
        apply: () => {
          held.set(account, (held.get(account) ?? 0) + zatoshi(amount));
          if (exact !== undefined) t.is(held.get(account), zatoshi(exact), `${now} ${account}`);
        },
      });
  }
  for (const { apply } of entries.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))) apply();
  return held;
}

test('the books of two years and two accounts are one set of books', async (t) => {
  const times = ['2024-03-01', '2024-07-01', '2025-02-01', '2025-02-01', '2025-06-01'];
  const world = await companionWorld(t, {
    hasCompactServer: false,
    devnet: {
      clock: (before) =>
        times.length > 0 ? Math.max(before + 1, Date.parse(times.shift()!) / 1000) : before + 75,
    },
  });
  const { devnet, wallet } = world;
  await wallet.call('accounts.create', { password: PASSWORD });
  const addressOf = async (account: number) =>
    (await wallet.call('address.get', { account })).unified_address;
  const [first, second] = [await addressOf(0), await addressOf(1)];
  const moving = (zatoshi: bigint) =>
    devnet.mine({
      transactions: [
        devnet.spend(world.account, {
          from: 'ironwood',
          payments: [{ address: second, pool: 'ironwood', zatoshi }],
        }),
      ],
    });
  devnet.payTo(first, { pool: 'ironwood', zatoshi: 100_000_000n });
  moving(40_000_000n);
  devnet.payTo(second, { pool: 'sapling', zatoshi: 3_000_000n });
  moving(5_000_000n);
  devnet.payTo(first, { pool: 'ironwood', zatoshi: 1_000_000n });
  await wallet.call('sync.run');
  const total = async (account: number) => (await wallet.call('balance.get', { account })).total_zatoshi;
  for (const format of ['hledger', 'beancount'] as const) {
    const file = async (year: number, account: number) =>
      (await wallet.call('transactions.export', { format, year, account })).text!;
    const whole = await Promise.all([file(2024, 0), file(2024, 1), file(2025, 0), file(2025, 1)]);
    const held = balancesOf(t, whole.join('\n'));
    t.is(held.get('Assets:Zcash:Account0'), await total(0), format);
    t.is(held.get('Assets:Zcash:Account1'), await total(1), format);
    t.is(held.get('Income:Zcash:Account0'), -101_000_000);
    t.is(held.get('Income:Zcash:Account1'), -3_000_000);
    t.is(held.get('Expenses:Zcash:Account0') ?? 0, 0);
    t.is(held.get('Equity:Zcash:Transfers:Account0'), 45_000_000);
    t.is(held.get('Equity:Zcash:Transfers:Account1'), -45_000_000);
    // The first file of an account is whole by itself.
    for (const text of whole.slice(0, 2)) balancesOf(t, text);
    const opened: readonly string[] = whole.join('\n').match(/(?<= open )\S+/g) ?? [];
    if (format === 'beancount')
      t.deepEqual(
        [...held.keys()].filter((name) => !opened.includes(name)),
        [],
      );
    t.is(new Set(opened).size, opened.length);
    t.regex(whole[0]!, /Account1/);
  }
});
