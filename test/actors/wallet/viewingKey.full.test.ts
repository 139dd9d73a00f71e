import test, { type ExecutionContext } from 'ava';
import {
  expectedBalance,
  expectedNotes,
  readKnownSeed,
  shownBalance,
  shownNotes,
  startKnownSeedNode,
} from '../../helpers/knownSeed.ts';
import { PASSWORD, startWallet } from '../../helpers/walletHarness.ts';

for (const name of ['main', 'regtest'] as const) {
  const seed = readKnownSeed(name);
  const last = seed.main.tip.height;
  const activation_heights = name === 'main' ? {} : { nu6_3: seed.firstHeight + 26 };

  const start = async (t: ExecutionContext) => {
    const node = await startKnownSeedNode(seed);
    t.teardown(() => node.stop());
    return startWallet(t, { config: { network: seed.network, node_url: node.url, activation_heights } });
  };
  const imported = (viewing_key: string) => ({
    viewing_key,
    password: PASSWORD,
    birthday_height: seed.firstHeight,
  });

  for (const [index, { ufvk }] of seed.accounts.entries()) {
    test(`${name}: the full viewing key of account ${index} sees what the seed sees`, async (t) => {
      const wallet = await start(t);
      const { warning, ...answer } = await wallet.call('wallet.import_viewing_key', imported(ufvk));
      t.is(warning, undefined);
      t.like(answer, { kind: 'full', unlocked: true });
      t.true((await wallet.call('sync.run')).caught_up);
      const { notes } = await wallet.call('notes.list', { limit: 1000 });
      const expected = expectedNotes(seed.main, [index]).map((note) => ({ ...note, account: 0 }));
      t.deepEqual(shownNotes(notes), expected);
      const balance = await wallet.call('balance.get');
      t.deepEqual(shownBalance(balance), expectedBalance(seed.main, last, [index]));
      t.is(balance.warning, undefined);
      t.deepEqual(wallet.faults, []);
    });
  }

  test(`${name}: an incoming viewing key sees external receipts, no spends, and says so`, async (t) => {
    const wallet = await start(t);
    const [account] = seed.accounts;
    const answer = await wallet.call('wallet.import_viewing_key', imported(account!.uivk));
    t.is(answer.kind, 'incoming');
    t.regex(answer.warning ?? '', /spends/);
    t.is(answer.unified_address, account!.shieldedAddress);
    await wallet.call('sync.run');
    const { notes } = await wallet.call('notes.list', { limit: 1000 });
    const expected = expectedNotes(seed.main, [0]).filter(({ scope }) => scope === 'external');
    t.true(expected.some(({ spent }) => spent !== null));
    t.deepEqual(
      shownNotes(notes),
      expected.map((note) => ({ ...note, nullifier: null, spent: null })),
    );
    const balance = await wallet.call('balance.get');
    t.is(
      balance.total_zatoshi,
      expected.reduce((sum, note) => sum + note.value_zatoshi, 0),
    );
    t.regex(balance.warning ?? '', /spent funds stay/);
    const { statement } = await wallet.call('statement.get');
    t.like(statement, {
      opening_zatoshi: 0,
      received_zatoshi: balance.total_zatoshi,
      sent_zatoshi: null,
      fee_zatoshi: null,
      closing_zatoshi: null,
      accounts: [{ sent_zatoshi: null, closing_zatoshi: null }],
      warning: balance.warning,
    });
    for (const format of ['csv', 'html'] as const) {
      const { text } = await wallet.call('statement.get', { format });
      t.regex(text!, /spent funds stay/);
    }
    for (const format of ['hledger', 'beancount'] as const) {
      const { text, balance_zatoshi: end } = await wallet.call('transactions.export', {
        format,
        limit: 1000,
      });
      t.is(end, null);
      t.regex(text!, /^; .*spent funds stay/);
      t.notRegex(text!, /^\S+ balance |closing balance/m);
    }
    const { rows } = await wallet.call('transactions.export', { format: 'json', limit: 1000 });
    t.true(rows!.every((row) => row.sent_zatoshi === null && row.balance_zatoshi === null));
    const { invoice_id } = await wallet.call('invoices.create');
    for (const [name, input] of Object.entries({
      'balance.at': { height: last },
      'statement.get': {},
      'transactions.export': {},
      'transactions.list': {},
      'notes.list': {},
      'changes.list': {},
      'mempool.list': {},
      'invoices.list': {},
      'invoices.get': { invoice_id },
    })) {
      const answer = await wallet.call(name as 'statement.get', input);
      t.is(answer.warning, balance.warning, name);
    }
  });

  test(`${name}: a watch-only wallet gives its viewing key back, and neither phrase nor accounts`, async (t) => {
    const wallet = await start(t);
    const [account] = seed.accounts;
    await wallet.call('wallet.import_viewing_key', imported(`  ${account!.ufvk}\n`));
    t.like(await wallet.call('wallet.viewing_key', { password: PASSWORD }), {
      viewing_key: account!.ufvk,
      kind: 'full',
      birthday_height: seed.firstHeight,
    });
    for (const operation of ['wallet.backup', 'accounts.create'] as const) {
      const result = await wallet.actor.dispatch({
        name: operation,
        input: { password: PASSWORD },
        requestId: 'r',
      });
      t.false(result.ok);
      if (result.ok) return;
      t.is(result.error.code, 'INVALID_REQUEST');
      t.regex(result.error.detail, /viewing key/);
    }
    await wallet.call('wallet.change_password', { password: PASSWORD, new_password: 'another' });
    await wallet.call('wallet.lock');
    t.is(
      (await wallet.call('wallet.unlock', { password: 'another' })).unified_address,
      account!.shieldedAddress,
    );
    await wallet.call('wallet.lock');
    t.is(await wallet.failure('accounts.create', { password: 'another' }), 'WALLET_LOCKED');
  });
}

test('what is no viewing key of this network is refused, without repeating it, and nothing is made', async (t) => {
  const main = readKnownSeed('main').accounts[0]!;
  const wallet = await startWallet(t, { config: { network: 'test' } });
  for (const viewing_key of [
    main.ufvk,
    main.shieldedAddress,
    'hello',
    `${main.ufvk}q`,
    ' ',
    '1'.repeat(5000),
  ]) {
    const result = await wallet.actor.dispatch({
      name: 'wallet.import_viewing_key',
      input: { viewing_key, password: PASSWORD },
      requestId: 'r',
    });
    t.false(result.ok);
    if (result.ok) return;
    t.is(result.error.code, 'INVALID_VIEWING_KEY');
    t.false(viewing_key.length > 10 && JSON.stringify(result.error).includes(viewing_key.slice(0, 20)));
  }
  t.false((await wallet.call('wallet.exists')).exists);
});

test('without a birthday the whole chain is to be scanned, and the answer says so', async (t) => {
  const wallet = await startWallet(t, { config: { network: 'main' } });
  const { uivk } = readKnownSeed('main').accounts[0]!;
  const { birthday_height, warning } = await wallet.call('wallet.import_viewing_key', {
    viewing_key: uivk,
    password: PASSWORD,
  });
  t.is(birthday_height, 419_200);
  t.regex(warning ?? '', /spends.*birthday_height/);
});

test('an existing wallet is never replaced by a viewing key', async (t) => {
  const wallet = await startWallet(t, { config: { network: 'main' } });
  const { ufvk } = readKnownSeed('main').accounts[0]!;
  await wallet.call('wallet.import_viewing_key', {
    viewing_key: ufvk,
    password: PASSWORD,
    birthday_height: 5,
  });
  for (const name of ['wallet.create', 'wallet.import_viewing_key'] as const) {
    const input = name === 'wallet.create' ? {} : { viewing_key: ufvk };
    t.is(await wallet.failure(name, { ...input, password: PASSWORD }), 'WALLET_EXISTS');
  }
});
