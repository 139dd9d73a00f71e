// The password on every POST route of the table: needed or not, it is a known field, it is checked, and a wrong one
// stops the operation. Over HTTP, before real actors on an embedded chain.

import { base64 } from '@scure/base';
import { filledPath } from '@wallet-companion/client/contract';
import { Devnet } from '@wallet-companion/devnet';
import { stageBytes } from '@wallet-companion/pczt/test/pcztVectors';
import { firstAddress } from '@wallet-companion/zcash/addresses';
import { deriveViewingKeys, mnemonicToSeed } from '@wallet-companion/zcash/keys';
import { networkParameters } from '@wallet-companion/zcash/network';
import test, { type ExecutionContext } from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { ERRORS, type ErrorCode } from '../../src/protocol/errors.ts';
import {
  type OperationName,
  type Output,
  operationNames,
  operations,
} from '../../src/protocol/operations.ts';
import { type HttpFront, startHttpFront } from '../helpers/httpFront.ts';
import { problemOf } from '../helpers/problems.ts';
import { PASSWORD, startWallet, type WalletHarness } from '../helpers/walletHarness.ts';

/** Of a browser extension. */
const extension = (letter: string): string => `chrome-extension://${letter.repeat(32)}`;
const LET_IN = ['a', 'b'].map(extension);
const ASKING = ['c', 'e'].map(extension);
const GRANTED = ['first', 'second'];

const MNEMONIC = `${'abandon '.repeat(11)}about`;
const keys = deriveViewingKeys(mnemonicToSeed(MNEMONIC, ''), networkParameters('regtest'), 0);
/** Of an address that the wallet has. */
const INDEX = String(firstAddress(keys, networkParameters('regtest'), 0n).diversifierIndex);

/** Nobody's: a payment needs funds, which need a chain with more in it. */
const PAYMENT = '0'.repeat(32);

/** Everything that an operation needs beside the password; every POST operation has a row. */
const inputs = new Map<OperationName, object>([
  ['wallet.create', { birthday_height: 1 }],
  ['wallet.restore', { mnemonic: MNEMONIC, birthday_height: 1 }],
  ['wallet.import_viewing_key', { birthday_height: 1 }],
  ['wallet.unlock', {}],
  ['wallet.lock', {}],
  ['wallet.change_password', { new_password: PASSWORD }],
  ['wallet.backup', {}],
  ['wallet.confirm_phrase', {}],
  ['wallet.remove', {}],
  ['wallet.rescan', {}],
  ['wallet.viewing_key', {}],
  ['config.node_url', {}],
  ['config.compact_server_url', {}],
  ['config.block_source', { source: 'node' }],
  ['config.theme', { theme: 'dark' }],
  ['address.next', {}],
  ['mempool.look', {}],
  ['labels.set', { diversifier_index: INDEX, label: 'till' }],
  ['labels.remove', { diversifier_index: INDEX }],
  ['contacts.set', { name: 'Bob', address: 'tmEZhbWHTpdKMw5it8YDspUXSMGQyFwovpU' }],
  ['contacts.remove', { name: 'Alice' }],
  ['invoices.create', {}],
  ['invoices.cancel', { invoice_id: PAYMENT }],
  ['days.open', {}],
  ['days.close', {}],
  ['labels.import', { labels: 'e30=' }],
  ['statement.check', { statement: examples['statement.check'].input.statement }],
  ['payment_uri.create', {}],
  ['payment_uri.qr', {}],
  ['payment_uri.parse', { uri: 'zcash:tmEZhbWHTpdKMw5it8YDspUXSMGQyFwovpU' }],
  ['pczt.inspect', { pczt: base64.encode(stageBytes('v6-ironwood-ironwood', 'ready')) }],
  ['payments.prepare', { address: 'tmEZhbWHTpdKMw5it8YDspUXSMGQyFwovpU', amount: '1' }],
  ['payments.pay', { idempotency_key: 'k', address: 'tmEZhbWHTpdKMw5it8YDspUXSMGQyFwovpU', amount: '1' }],
  [
    'payments.combine',
    { payment_id: PAYMENT, pczt: base64.encode(stageBytes('v6-ironwood-ironwood', 'ready')) },
  ],
  ['payments.shield', {}],
  ['payments.refund', { invoice_id: PAYMENT }],
  ['payments.batch', { payment_ids: [PAYMENT] }],
  ['payments.combine_batch', examples['payments.combine_batch'].input],
  ['payments.sign', { payment_id: PAYMENT }],
  ['payments.prove', { payment_id: PAYMENT }],
  ['payments.broadcast', { payment_id: PAYMENT }],
  ['payments.discard', { payment_id: PAYMENT }],
  ['receipts.create', { txid: '00'.repeat(32) }],
  ['receipts.verify', { receipt: examples['receipts.verify'].input.receipt }],
  ['accounts.create', { birthday_height: 1 }],
  ['accounts.import_viewing_key', { viewing_key: 'uview1other', account_index: 1 }],
  ['wallet.device', { device: 'ledger' }],
  ['sync.run', {}],
  ['sync.cancel', {}],
  ['follow.set', { enabled: true }],
  ['lwd.sync_compact', {}],
  ['lwd.prune', { keep: 5 }],
  ['pairing.request', { origin: extension('d') }],
  ['pairing.allow', {}],
  ['pairing.refuse', {}],
  ['pairing.revoke', {}],
  ['grants.create', { scopes: ['read'] }],
  ['grants.narrow', { grant: GRANTED[0], days: 1 }],
  ['grants.rotate', { grant: GRANTED[0] }],
  ['grants.revoke', {}],
  ['grants.page_code', {}],
  ['grants.open_page', {}],
  ['till.start', { pin: '4711' }],
  ['till.lock', {}],
  ['till.unlock', { pin: '4711' }],
  ['till.end', {}],
]);
/** One needs several wallets: test/service/wallets.full.test.ts. */
const posts = operationNames.filter(
  (name) => operations[name].http.method === 'POST' && name !== 'wallets.rename',
);
/** Their password is that of the wallet to come. */
const MAKING: readonly OperationName[] = ['wallet.create', 'wallet.restore', 'wallet.import_viewing_key'];
/** What they answer once the password was right: they have run. */
const ENDS_WITH = new Map<OperationName, ErrorCode>([
  ['invoices.cancel', 'NOT_FOUND'],
  ['days.close', 'DAY_STATE'],
  // The wallet has a phrase.
  ['accounts.import_viewing_key', 'INVALID_REQUEST'],
  ['payments.pay', 'INVALID_RANGE'],
  ['payments.prepare', 'INVALID_RANGE'],
  ['payments.shield', 'INVALID_RANGE'],
  ['payments.refund', 'NOT_FOUND'],
  ['payments.batch', 'NOT_FOUND'],
  ['payments.combine', 'NOT_FOUND'],
  ['payments.combine_batch', 'NOT_FOUND'],
  ['payments.sign', 'NOT_FOUND'],
  ['payments.prove', 'NOT_FOUND'],
  ['payments.broadcast', 'NOT_FOUND'],
  ['payments.discard', 'NOT_FOUND'],
  ['receipts.create', 'NOT_FOUND'],
  ['till.lock', 'NOT_FOUND'],
  ['till.unlock', 'NOT_FOUND'],
  ['till.end', 'NOT_FOUND'],
]);
const statusOf = (name: OperationName): number => {
  const code = ENDS_WITH.get(name);
  return code === undefined ? (operations[name].http.status ?? 200) : ERRORS[code].status;
};
/** It adds to what is open, and opens nothing itself. */
const NEEDS_OPEN: readonly OperationName[] = ['accounts.create', 'accounts.import_viewing_key'];
/** They leave the session as it was, for the sake of the secrets that they read. */
const OPENS_NOTHING: readonly OperationName[] = [
  'wallet.backup',
  'wallet.change_password',
  'wallet.confirm_phrase',
  'wallet.lock',
  'wallet.remove',
  ...NEEDS_OPEN,
];

interface Stage {
  readonly front: HttpFront;
  readonly wallet: WalletHarness;
  post(name: OperationName, more: object): Promise<Response>;
  refused(name: OperationName, more: object, code: ErrorCode): Promise<unknown>;
  /** What an operation that ran would have changed. */
  state(): Promise<unknown>;
  isUnlocked(): Promise<boolean>;
}

async function setUp(t: ExecutionContext): Promise<Stage> {
  const devnet = new Devnet({ seed: 'password' });
  t.teardown(() => devnet.close());
  devnet.mineEmpty(3);
  const [nodeUrl, compactUrl] = [await devnet.node.listen(), await devnet.compact.listen()];
  const wallet = await startWallet(t, {
    config: {
      network: 'regtest',
      node_url: nodeUrl,
      compact_server_url: compactUrl,
      allowed_origins: LET_IN,
    },
  });
  const front = await startHttpFront({ behind: wallet.link });
  t.teardown(() => front.close());
  const codes: (string | null)[] = [];
  for (const origin of ASKING) codes.push((await wallet.call('pairing.request', { origin })).code);
  for (const name of GRANTED)
    await wallet.grants.book.create({ name, scopes: ['read'], expiresAt: null, limits: {} });
  /** Each run uses one up. */
  const pairing = (name: OperationName, runs: number): object => {
    if (name === 'pairing.revoke') return { origin: LET_IN[runs] };
    if (name === 'grants.revoke') return { grant: GRANTED[runs] };
    if (name === 'grants.create') return { name: `program ${runs}` };
    if (name === 'grants.open_page') return { code: wallet.grants.pages.code().code };
    return name === 'pairing.allow' || name === 'pairing.refuse' ? { code: codes[runs] } : {};
  };
  let runs = 0;
  const post = (name: OperationName, more: object) => {
    const url =
      name === 'config.node_url'
        ? { url: nodeUrl }
        : name === 'config.compact_server_url'
          ? { url: compactUrl }
          : name === 'wallet.import_viewing_key'
            ? { viewing_key: viewingKey }
            : {};
    const input = { ...inputs.get(name), ...pairing(name, runs), ...url, ...more };
    const { path, rest } = filledPath(operations[name].http.path, input);
    return front.post(path, rest);
  };
  let viewingKey = 'none';
  return {
    front,
    wallet,
    post: async (name, more) => {
      const response = await post(name, more);
      if (response.ok) runs += 1;
      if (name === 'wallet.viewing_key' && response.ok) {
        const body = (await response.clone().json()) as Output<'wallet.viewing_key'>;
        viewingKey = body.viewing_key;
      }
      return response;
    },
    refused: async (name, more, code) => problemOf(t, await post(name, more), code),
    state: async () => ({
      config: await wallet.call('config.get'),
      status: await wallet.call('wallet.status'),
      store: (await wallet.call('lwd.info')).store,
      grants: await wallet.call('grants.list'),
      pairings: await wallet.call('pairing.list'),
      events: wallet.events.length,
    }),
    isUnlocked: async () => (await wallet.call('wallet.status')).unlocked,
  };
}

test('every POST operation is looked at', (t) => {
  t.deepEqual([...inputs.keys()].sort(), [...posts].sort());
});

test('a password is a known field of every POST operation, of one type', async (t) => {
  const { refused, wallet } = await setUp(t);
  for (const name of posts) {
    const before = wallet.events.length;
    const wrongType = (await refused(name, { password: 5 }, 'INVALID_REQUEST')) as {
      errors: { path: string }[];
    };
    t.true(
      wrongType.errors.some(({ path }) => path === 'password'),
      name,
    );
    await refused(name, { password: '' }, 'INVALID_PASSWORD_FORMAT');
    t.is(wallet.events.length, before, name);
  }
});

test('without a wallet there is none to check the password of: what needs none is done, and nothing else', async (t) => {
  const { refused, state } = await setUp(t);
  const free = posts.filter((name) => operations[name].access === 'anyone' && !MAKING.includes(name));
  const before = await state();
  for (const name of posts)
    if (!MAKING.includes(name) && !free.includes(name))
      await refused(name, { password: PASSWORD }, 'NO_WALLET');
  t.deepEqual(await state(), before);
  for (const name of free) {
    const { post } = await setUp(t);
    t.is((await post(name, { password: PASSWORD })).status, statusOf(name), name);
  }
});

test('bad input comes before the password', async (t) => {
  const { refused, wallet } = await setUp(t);
  await wallet.call('wallet.restore', { mnemonic: MNEMONIC, password: PASSWORD, birthday_height: 1 });
  await refused('config.theme', { theme: 'purple', password: 'wrong' }, 'INVALID_THEME');
  await refused('lwd.sync_compact', { start_height: 9, end_height: 5, password: 'wrong' }, 'INVALID_RANGE');
  await refused('sync.cancel', { pasword: 'wrong' }, 'INVALID_REQUEST');
});

for (const name of posts) {
  if (MAKING.includes(name)) {
    test(`${name} asks for the password of the wallet to come, not of the one that is there`, async (t) => {
      const { post, refused, wallet } = await setUp(t);
      await wallet.call('wallet.restore', { mnemonic: MNEMONIC, password: PASSWORD, birthday_height: 1 });
      await post('wallet.viewing_key', { password: PASSWORD });
      await refused(name, { password: 'another' }, 'WALLET_EXISTS');
      t.true((await wallet.call('wallet.unlock', { password: PASSWORD })).unlocked);
    });
    continue;
  }

  test(`${name} checks a password that it is given, and runs with the right one alone`, async (t) => {
    const { post, refused, state, wallet, isUnlocked } = await setUp(t);
    await wallet.call('wallet.restore', { mnemonic: MNEMONIC, password: PASSWORD, birthday_height: 1 });
    await wallet.call('wallet.lock');

    const locked = await state();
    await refused(
      name,
      { password: 'wrong' },
      NEEDS_OPEN.includes(name) ? 'WALLET_LOCKED' : 'WRONG_PASSWORD',
    );
    t.deepEqual(await state(), locked);

    if (NEEDS_OPEN.includes(name)) await wallet.call('wallet.unlock', { password: PASSWORD });
    const opened = await post(name, { password: PASSWORD });
    t.is(opened.status, statusOf(name), await opened.clone().text());
    t.is(opened.headers.get('cache-control'), 'no-store');
    t.false((await opened.text()).includes(PASSWORD));
    t.is(await isUnlocked(), NEEDS_OPEN.includes(name) || !OPENS_NOTHING.includes(name));

    // There is no wallet any more.
    if (name === 'wallet.remove') return;
    await wallet.call('wallet.unlock', { password: PASSWORD });
    const open = await state();
    await refused(name, { password: 'wrong' }, 'WRONG_PASSWORD');
    t.deepEqual(await state(), open);
    const again = await post(name, { password: PASSWORD });
    t.is(again.status, statusOf(name), await again.clone().text());
    t.is(await isUnlocked(), name !== 'wallet.lock');
  });
}
