// What happens while a payment is prepared, and to one that is: blocks that come and go, locks, disks that fail, other keys.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { keysOf, orchardAddress } from '@wallet-companion/pczt/test/spendingAccount';
import { encodeUnifiedViewingKey } from '@wallet-companion/zcash/addresses';
import { toIncomingViewingKeys } from '@wallet-companion/zcash/keys';
import test, { type ExecutionContext } from 'ava';
import type { NoteDatabase, NoteDatabases } from '../../../../src/actors/wallet/ports/noteDatabase.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import {
  type CompanionWorld,
  companionWorld,
  ORCHARD_FIRST,
  PARAMS,
  pcztIn,
} from '../../../helpers/companionWorld.ts';
import { PASSWORD } from '../../../helpers/walletHarness.ts';

const ZEC = 100_000_000;
const RECIPIENT = orchardAddress();
const WANTED = { address: RECIPIENT, amount: '0.4' };

/** Once, when the anchor is about to be read. */
function whileReading({ wallet: { chain } }: CompanionWorld, work: () => Promise<unknown>): void {
  const treeStates = chain.treeStates.bind(chain);
  chain.treeStates = async (query) => {
    chain.treeStates = treeStates;
    await work();
    return treeStates(query);
  };
}

const funded = async (t: ExecutionContext, options: Parameters<typeof companionWorld>[1] = {}) => {
  const bed = await companionWorld(t, { ...ORCHARD_FIRST, ...options });
  await bed.fund({ pool: 'ironwood', zatoshi: ZEC });
  return bed;
};

const anchorHash = (bed: CompanionWorld, height: number): string =>
  bytesToHex(bed.devnet.blocks.at(height)!.hash);

test('blocks that are exchanged under the anchor: it is prepared on those that are there now', async (t) => {
  const bed = await funded(t);
  const before = anchorHash(bed, bed.devnet.tip.height - 2);
  whileReading(bed, async () => {
    bed.devnet.reorganise(4);
    await bed.sync();
  });
  const prepared = await bed.prepare(WANTED);
  t.not(anchorHash(bed, prepared.anchor_height), before);
  const root = bed.devnet.trees.ironwood.rootAfter(bed.devnet.blocks.at(prepared.anchor_height)!);
  t.is(bytesToHex(pcztIn(prepared).ironwood.anchor!), bytesToHex(root));
  t.is((await bed.wallet.call('payments.list')).payments.length, 1);
});

test('a note that is gone with its block is not spent', async (t) => {
  const bed = await funded(t);
  whileReading(bed, async () => {
    bed.devnet.reorganise(11);
    await bed.sync();
  });
  t.like(await t.throwsAsync(bed.prepare(WANTED), { instanceOf: CompanionError }), {
    code: 'INSUFFICIENT_FUNDS',
  });
  t.deepEqual((await bed.wallet.call('payments.list')).payments, []);
});

test('a note that is elsewhere in the tree by now is spent from there', async (t) => {
  const bed = await funded(t);
  whileReading(bed, async () => {
    const paying = bed.devnet.blocks.at(bed.devnet.tip.height - 9)!.transactions.slice(1);
    const traffic = bed.devnet.traffic({ ironwood: 4 });
    const others = Array.from({ length: 12 }, () => ({}));
    bed.devnet.reorganise(11, [{ transactions: [traffic] }, { transactions: paying as never }, ...others]);
    await bed.sync();
  });
  const prepared = await bed.prepare(WANTED);
  const { notes } = await bed.wallet.call('notes.list');
  t.deepEqual(
    pcztIn(prepared).ironwood.actions.flatMap(({ spend }) =>
      spend.value === BigInt(ZEC) ? [spend.witness?.position] : [],
    ),
    [notes[0]!.position],
  );
});

test('a note that is spent meanwhile is not taken', async (t) => {
  const bed = await funded(t);
  const { viewing_key } = await bed.wallet.call('wallet.viewing_key', { password: PASSWORD });
  whileReading(bed, async () => {
    const spend = bed.devnet.spend(bed.devnet.account(viewing_key), {
      from: 'ironwood',
      payments: [{ address: RECIPIENT, pool: 'ironwood', zatoshi: 5_000n }],
    });
    bed.devnet.mine({ transactions: [spend] });
    await bed.sync();
  });
  t.like(await t.throwsAsync(bed.prepare(WANTED), { instanceOf: CompanionError }), {
    code: 'INSUFFICIENT_FUNDS',
  });
});

test('locked meanwhile: nothing is kept, and no key is used any more', async (t) => {
  const bed = await funded(t);
  whileReading(bed, () => bed.wallet.call('wallet.lock'));
  t.like(await t.throwsAsync(bed.prepare(WANTED), { instanceOf: CompanionError }), { code: 'WALLET_LOCKED' });
  await bed.wallet.call('wallet.unlock', { password: PASSWORD });
  t.deepEqual((await bed.wallet.call('payments.list')).payments, []);
  t.is((await bed.wallet.call('balance.get')).reserved_zatoshi, 0);
});

test('another account is added meanwhile: it begins once more with the keys that are there then', async (t) => {
  const bed = await funded(t);
  whileReading(bed, () => bed.wallet.call('accounts.create', { password: PASSWORD }));
  // The new account has scanned nothing; the one that pays has.
  const prepared = await bed.prepare(WANTED);
  t.is(prepared.account, 0);
});

test('payments survive a lock, a change of password and a rescan', async (t) => {
  const bed = await funded(t);
  const prepared = await bed.prepare(WANTED);
  const { payment_id } = prepared;
  await bed.wallet.call('wallet.change_password', { password: PASSWORD, new_password: 'another one' });
  t.is((await bed.payment(payment_id)).status, 'prepared');
  await bed.wallet.call('wallet.lock');
  await bed.wallet.call('wallet.unlock', { password: 'another one' });
  t.is((await bed.wallet.call('payments.pczt', { payment_id, reader: 'anyone' })).pczt, prepared.pczt);
  await bed.wallet.call('wallet.rescan');
  // As the balance, it does not know the note before it is found again.
  t.like(await bed.payment(payment_id), { status: 'prepared', reserved_zatoshi: 0 });
  await bed.sync();
  t.like(await bed.payment(payment_id), { status: 'prepared', reserved_zatoshi: ZEC });
  t.is((await bed.wallet.call('balance.get')).reserved_zatoshi, ZEC);
  t.is((await bed.refusal(WANTED)).code, 'INSUFFICIENT_FUNDS');
});

/** The disk fails before a payment is written, or after. */
function failing(when: { before?: boolean; after?: boolean }) {
  return (stores: NoteDatabases): NoteDatabases => ({
    retire: () => stores.retire(),
    dropResealed: () => stores.dropResealed(),
    open(masterKey) {
      const store = stores.open(masterKey);
      const fail = (): never => {
        throw new CompanionError('STORAGE_FAILED', 'The disk is full.');
      };
      return new Proxy<NoteDatabase>(store, {
        get(target, name) {
          if (name === 'putPayment')
            return (...given: Parameters<NoteDatabase['putPayment']>) => {
              if (when.before === true) fail();
              target.putPayment(...given);
              if (when.after === true) fail();
            };
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    },
  });
}

test('a disk that fails before the payment is written: nothing is reserved', async (t) => {
  const when = { before: true };
  const bed = await funded(t, { noteDatabases: failing(when) });
  t.like(await t.throwsAsync(bed.prepare(WANTED), { instanceOf: CompanionError }), {
    code: 'STORAGE_FAILED',
  });
  t.deepEqual((await bed.wallet.call('payments.list')).payments, []);
  when.before = false;
  t.is((await bed.prepare(WANTED)).status, 'prepared');
});

test('one that fails after it is written: the payment is there, and has its notes', async (t) => {
  const when = { after: true };
  const bed = await funded(t, { noteDatabases: failing(when) });
  t.like(await t.throwsAsync(bed.prepare(WANTED), { instanceOf: CompanionError }), {
    code: 'STORAGE_FAILED',
  });
  const { payments } = await bed.wallet.call('payments.list');
  t.is(payments.length, 1);
  t.is((await bed.refusal(WANTED)).code, 'INSUFFICIENT_FUNDS');
  when.after = false;
  await bed.wallet.call('payments.discard', { payment_id: payments[0]!.payment_id });
  t.is((await bed.prepare(WANTED)).status, 'prepared');
});

test('over, when every block that could have it was scanned; back, when these are gone', async (t) => {
  const bed = await funded(t);
  const tip = bed.devnet.tip.height;
  const { payment_id } = await bed.prepare({ ...WANTED, expiry_height: tip + 5 });
  bed.devnet.mineEmpty(4);
  await bed.sync();
  t.like(await bed.payment(payment_id), { status: 'prepared', reserved_zatoshi: ZEC });
  bed.devnet.mineEmpty(1);
  t.like(await bed.payment(payment_id), { status: 'prepared' }, 'nobody has looked');
  await bed.sync();
  t.like(await bed.payment(payment_id), { status: 'expired', reserved_zatoshi: 0, expires_at: null });
  t.is((await bed.wallet.call('payments.list', { open: true })).payments.length, 0);
  t.is(await bed.wallet.failure('payments.discard', { payment_id }), 'PAYMENT_STATE');
  const another = await bed.prepare(WANTED);
  bed.devnet.reorganise(2, [{}, {}, {}]);
  await bed.sync();
  t.is((await bed.payment(payment_id)).status, 'expired');
  t.is((await bed.payment(another.payment_id)).status, 'prepared');
});

test('another transaction spends its note: conflicted; the chain gives it back: prepared', async (t) => {
  const bed = await funded(t);
  const { payment_id } = await bed.prepare(WANTED);
  const { viewing_key } = await bed.wallet.call('wallet.viewing_key', { password: PASSWORD });
  const spend = bed.devnet.spend(bed.devnet.account(viewing_key), {
    from: 'ironwood',
    payments: [{ address: RECIPIENT, pool: 'ironwood', zatoshi: 5_000n }],
  });
  bed.devnet.mine({ transactions: [spend] });
  await bed.sync();
  t.like(await bed.payment(payment_id), { status: 'conflicted', reserved_zatoshi: 0 });
  bed.devnet.reorganise(1);
  await bed.sync();
  t.like(await bed.payment(payment_id), { status: 'prepared', reserved_zatoshi: ZEC });
});

test('an incoming viewing key prepares nothing, and says why', async (t) => {
  const viewingKey = encodeUnifiedViewingKey(toIncomingViewingKeys(keysOf(0)), PARAMS);
  const bed = await companionWorld(t, { ...ORCHARD_FIRST, viewingKey });
  await bed.fund({ pool: 'ironwood', zatoshi: ZEC });
  const { code, detail } = await bed.refusal(WANTED);
  t.is(code, 'INVALID_REQUEST');
  t.regex(detail, /incoming viewing key/);
});

test('an account pays from its own notes alone, with its own keys', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  const { unified_address: second } = await bed.wallet.call('accounts.create', { password: PASSWORD });
  await bed.fund({ pool: 'ironwood', zatoshi: ZEC }, { pool: 'ironwood', zatoshi: 2 * ZEC, address: second });
  t.is((await bed.refusal({ address: RECIPIENT, amount: '1.5' })).code, 'INSUFFICIENT_FUNDS');
  const prepared = await bed.prepare({ address: bed.address, amount: '1.5', account: 1 });
  t.is(prepared.account, 1);
  t.is(prepared.reserved_zatoshi, 2 * ZEC);
  const [derivation] = pcztIn(prepared).ironwood.actions.flatMap(({ spend }) => spend.zip32Derivation ?? []);
  t.deepEqual(
    derivation?.derivationPath.map((index) => index - 2 ** 31),
    [32, 1, 1],
  );
  t.is((await bed.wallet.call('payments.list', { account: 0 })).payments.length, 0);
  t.is((await bed.wallet.call('payments.list', { account: 1 })).payments.length, 1);
  t.is((await bed.wallet.call('balance.get', { account: 0 })).reserved_zatoshi, 0);
  t.is(await bed.wallet.failure('payments.prepare', { ...WANTED, account: 5 }), 'NOT_FOUND');
});

test('lists come in pages, the latest first', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund({ pool: 'ironwood', zatoshi: ZEC }, { pool: 'ironwood', zatoshi: ZEC });
  const first = await bed.prepare(WANTED);
  bed.wallet.clock.advance(5);
  const second = await bed.prepare(WANTED);
  const page = await bed.wallet.call('payments.list', { limit: 1 });
  t.deepEqual(
    page.payments.map(({ payment_id }) => payment_id),
    [second.payment_id],
  );
  const rest = await bed.wallet.call('payments.list', { limit: 1, cursor: page.next_cursor });
  t.deepEqual(
    rest.payments.map(({ payment_id }) => payment_id),
    [first.payment_id],
  );
  t.is(rest.next_cursor, null);
  t.is(await bed.wallet.failure('payments.get', { payment_id: '00'.repeat(16) }), 'NOT_FOUND');
});

test('a compact server is asked the same whatever notes are spent, and for no block', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund({ pool: 'sapling', zatoshi: ZEC });
  bed.devnet.mine({ transactions: [bed.devnet.traffic({ ironwood: 2, sapling: 3 })] });
  await bed.fund({ pool: 'ironwood', zatoshi: 2 * ZEC });
  bed.devnet.mineEmpty(20);
  await bed.sync('compact');
  const asked: string[] = [];
  bed.devnet.compact.onCall(({ method, request }) => asked.push(`${method} ${request}`.trim()));
  const consents = { privacy: ['crossing_pools'] } as const;
  const callsFor = async (pool: 'sapling' | 'ironwood'): Promise<string[]> => {
    asked.length = 0;
    const prepared = await bed.prepare({ ...WANTED, ...consents, pools: [pool], source: 'compact' });
    await bed.wallet.call('payments.discard', { payment_id: prepared.payment_id });
    t.deepEqual(
      prepared.notes.map((note) => note.pool),
      [pool],
    );
    return [...asked];
  };
  const { height: tip } = bed.devnet.tip;
  const always = [
    'GetLatestBlock',
    `GetBlockRange ${tip} to ${tip}`,
    'GetLatestBlock',
    `GetTreeState ${tip - 2}`,
  ];
  t.deepEqual(await callsFor('sapling'), always);
  t.deepEqual(await callsFor('ironwood'), always);
  // Paths that are kept make no difference.
  t.deepEqual(await callsFor('sapling'), always);
  // Nor does a wrong anchor, by which a server would learn more.
  bed.devnet.mine({ transactions: [bed.devnet.traffic({ ironwood: 2 })] });
  bed.devnet.mineEmpty(2);
  await bed.sync('compact');
  const { chain } = bed.wallet;
  const { treeStates } = chain;
  chain.treeStates = async (query) => {
    const reported = (await treeStates.call(chain, query))!;
    const states = {
      ...reported.states,
      ironwood: reported.states.ironwood.map((byte, i) => (i === 5 ? byte ^ 1 : byte)),
    };
    return { ...reported, states };
  };
  asked.length = 0;
  t.is((await bed.refusal({ ...WANTED, pools: ['ironwood'], source: 'compact' })).code, 'WITNESS_MISMATCH');
  const blocks = asked.filter((call) => call.startsWith('GetBlockRange'));
  t.deepEqual([...new Set(blocks)], [`GetBlockRange ${tip + 3} to ${tip + 3}`]);
});
