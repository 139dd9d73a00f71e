// How often a password may be tried, told by the wallet's own clock.
import test from 'ava';
import { CompanionError, wrongPassword } from '../../src/protocol/errors.ts';
import type { Caller } from '../../src/protocol/operations.ts';
import { classOf, PasswordGuard, PasswordGuards } from '../../src/protocol/passwordGuard.ts';
import { countOpenings, ManualClock, PASSWORD, startWallet } from '../helpers/walletHarness.ts';

class Door {
  readonly clock = new ManualClock();
  readonly guard = new PasswordGuard(this.clock);
  tries = 0;

  /** What becomes of one try: `open`, `wrong`, or for how many seconds it is refused. */
  async knock(isRight: boolean): Promise<'open' | 'wrong' | number> {
    try {
      await this.guard.attempt(async () => {
        this.tries += 1;
        if (!isRight) throw wrongPassword();
      });
      return 'open';
    } catch (error) {
      if (!(error instanceof CompanionError)) throw error;
      return error.code === 'WRONG_PASSWORD' ? 'wrong' : (error.retryAfterSeconds ?? Number.NaN);
    }
  }
}

test('three wrong tries cost nothing, the next ones wait 1 s doubling to 5 s', async (t) => {
  const door = new Door();
  for (let free = 0; free < 3; free++) t.is(await door.knock(false), 'wrong');
  for (const seconds of [1, 2, 4, 5, 5, 5]) {
    t.is(await door.knock(true), seconds);
    door.clock.advance(seconds * 1000 - 1);
    t.is(await door.knock(true), 1);
    door.clock.advance(1);
    t.is(await door.knock(false), 'wrong');
  }
  door.clock.advance(5000);
  t.is(await door.knock(true), 'open');
});

test('the right password gives the free tries back', async (t) => {
  const door = new Door();
  for (let round = 0; round < 3; round++) {
    for (let free = 0; free < 2; free++) t.is(await door.knock(false), 'wrong');
    t.is(await door.knock(true), 'open');
  }
  for (let free = 0; free < 3; free++) t.is(await door.knock(false), 'wrong');
  door.clock.advance(1000);
  t.is(await door.knock(true), 'open');
  for (let free = 0; free < 2; free++) t.is(await door.knock(false), 'wrong');
  t.is(await door.knock(true), 'open');
});

test('a refused try is no try: nothing is computed, and the wait does not grow', async (t) => {
  const door = new Door();
  for (let free = 0; free < 3; free++) await door.knock(false);
  for (let knock = 0; knock < 100; knock++) t.is(await door.knock(false), 1);
  t.is(door.tries, 3);
  door.clock.advance(1000);
  t.is(await door.knock(true), 'open');
});

test('a failure that is no wrong password is none of its business', async (t) => {
  const door = new Door();
  for (let knock = 0; knock < 5; knock++) {
    await t.throwsAsync(
      door.guard.attempt(async () => {
        throw new Error('disk');
      }),
      { message: 'disk' },
    );
  }
  t.is(await door.knock(true), 'open');
});

test('setting the time of day does not change the wait', async (t) => {
  for (const ms of [-3_600_000, 3_600_000]) {
    const door = new Door();
    for (let free = 0; free < 3; free++) await door.knock(false);
    const now = door.clock.now() + ms;
    door.clock.now = () => now;
    t.is(await door.knock(true), 1);
    door.clock.advance(1000);
    t.is(await door.knock(true), 'open');
  }
});

test('no more tries stand in line than can be answered in time', async (t) => {
  const { guard } = new Door();
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const standing = Array.from({ length: 100 }, () => guard.inLine(() => gate));
  await t.throwsAsync(
    guard.inLine(() => gate),
    { code: 'TOO_MANY_ATTEMPTS' },
  );
  release();
  await Promise.all(standing);
  await t.notThrowsAsync(guard.inLine(() => gate));
});

const WALLET = { mnemonic: `${'abandon '.repeat(11)}about`, password: PASSWORD, birthday_height: 1000 };

for (const isOpen of [false, true]) {
  test(`forty wrong passwords at once, ${isOpen ? 'session open' : 'locked'}: three are tried one by one, the owner waits a second`, async (t) => {
    const { openings, watchOpen } = countOpenings();
    const config = { network: 'regtest', node_url: 'http://127.0.0.1:9' } as const;
    const wallet = await startWallet(t, { config, watchOpen });
    await wallet.call('wallet.restore', WALLET);
    if (!isOpen) await wallet.call('wallet.lock');
    const tries = Array.from({ length: 40 }, (_, i) =>
      wallet.failure('wallet.unlock', { password: `wrong ${i}` }),
    );
    // The owner's own comes last, and is answered with the rest: come back in a second.
    const owner = wallet.actor.dispatch({
      name: 'wallet.unlock',
      input: { password: PASSWORD },
      requestId: 'owner',
    });
    const codes = await Promise.all(tries);
    t.is(codes.filter((code) => code === 'WRONG_PASSWORD').length, 3);
    t.is(codes.filter((code) => code === 'TOO_MANY_ATTEMPTS').length, 37);
    t.like(await owner, { ok: false, error: { code: 'TOO_MANY_ATTEMPTS', retryAfterSeconds: 1 } });
    // An open session checks against its keyed hash; a locked wallet derives a key for each try.
    t.deepEqual(openings, isOpen ? { derivations: 0, most: 0 } : { derivations: 3, most: 1 });
    t.is((await wallet.call('wallet.status')).unlocked, isOpen);
    if (isOpen) await wallet.call('balance.get');
    wallet.clock.advance(1000);
    t.true((await wallet.call('wallet.unlock', { password: PASSWORD })).unlocked);
  });
}

test('while a wait is on nothing else is held up, and no wallet comes before it', async (t) => {
  const wallet = await startWallet(t, { config: { network: 'regtest', node_url: 'http://127.0.0.1:9' } });
  await wallet.call('wallet.restore', WALLET);
  for (let free = 0; free < 3; free++) {
    t.is(await wallet.failure('wallet.backup', { password: 'wrong' }), 'WRONG_PASSWORD');
  }
  for (const [name, more] of [
    ['wallet.unlock', {}],
    ['wallet.backup', {}],
    ['wallet.viewing_key', {}],
    ['wallet.change_password', { new_password: 'n' }],
    ['accounts.create', {}],
    ['sync.run', {}],
    ['config.theme', { theme: 'dark' }],
    ['lwd.sync_compact', {}],
  ] as const) {
    t.is(await wallet.failure(name, { ...more, password: PASSWORD }), 'TOO_MANY_ATTEMPTS', name);
  }
  await wallet.call('config.theme', { theme: 'dark' });
  await wallet.call('address.next');
  await wallet.call('wallet.lock');
  t.is(await wallet.failure('accounts.create', { password: PASSWORD }), 'WALLET_LOCKED');
  t.is(await wallet.failure('wallet.unlock', { password: PASSWORD }), 'TOO_MANY_ATTEMPTS');
  const other = await startWallet(t, { config: { network: 'regtest', node_url: 'http://127.0.0.1:9' } });
  for (let tries = 0; tries < 5; tries++) {
    t.is(await other.failure('wallet.unlock', { password: 'wrong' }), 'NO_WALLET');
  }
});

test('guards in the place of others go on with their waits', async (t) => {
  const clock = new ManualClock();
  const wrong = (guard: PasswordGuard) =>
    guard.attempt(() => {
      throw wrongPassword();
    });
  const before = new PasswordGuards(clock);
  for (let free = 0; free < 3; free++)
    await t.throwsAsync(wrong(before.of('others')), { code: 'WRONG_PASSWORD' });
  await t.throwsAsync(wrong(before.of('page')), { code: 'WRONG_PASSWORD' });
  await before.of('page').attempt(() => undefined);
  t.like(before.wrongTries, [{ by: 'others', count: 3 }], 'those without wrong tries need no place');
  clock.advance(600);
  const after = new PasswordGuards(clock, before.wrongTries);
  await t.throwsAsync(wrong(after.of('others')), { code: 'TOO_MANY_ATTEMPTS' });
  await t.throwsAsync(wrong(after.of('owner')), { code: 'WRONG_PASSWORD' });
  clock.advance(400);
  await t.throwsAsync(wrong(after.of('others')), { code: 'WRONG_PASSWORD' });
  t.like(after.wrongTries, [
    { by: 'others', count: 4 },
    { by: 'owner', count: 1 },
  ]);
});

const extension = (letter: string): string => `chrome-extension://${letter.repeat(32)}`;
const PAGE = 'http://127.0.0.1:8634';

const grant = (id: string) => ({ grant: { id, scopes: ['read'], wallets: ['*'], limits: {} } }) as const;

test('callers are the owner, the page, each grant, and all others together', (t) => {
  t.is(classOf({ byOwner: true }), 'owner');
  t.is(classOf({ byOwner: true, origin: extension('c') }), 'owner');
  t.is(classOf({ byOwner: false, origin: PAGE }), 'page');
  t.is(classOf({ origin: 'http://localhost:9' }), 'page', 'the guard of the front lets no other page in');
  t.is(classOf({ origin: extension('b'), ...grant('b') }), 'b');
  t.is(classOf(grant('till')), 'till');
  for (const letter of 'cdef') t.is(classOf({ origin: extension(letter) }), 'others');
  t.is(classOf({}), 'others');
});

test('what strangers guess keeps none but strangers out', async (t) => {
  const config = {
    network: 'regtest',
    node_url: 'http://127.0.0.1:9',
  } as const;
  const { openings, watchOpen } = countOpenings();
  const wallet = await startWallet(t, { config, watchOpen });
  await wallet.call('wallet.restore', WALLET);
  await wallet.call('wallet.lock');
  const as = async (
    caller: Caller,
    password: string,
    name: 'wallet.unlock' | 'lwd.prune' = 'wallet.unlock',
  ) => {
    const input = name === 'wallet.unlock' ? { password } : { password, keep: 5 };
    const result = await wallet.link.dispatch(name, input, { requestId: 'test', ...caller });
    return result.ok ? 'ok' : result.error.code;
  };
  // A new name for each try gives no new tries.
  for (const letter of 'cde') {
    const origin = extension(letter);
    const asked = { origin, password: 'wrong' };
    const context = { requestId: 'test', origin };
    t.like(await wallet.link.dispatch('pairing.request', asked, context), {
      error: { code: 'WRONG_PASSWORD' },
    });
  }
  t.is(await as({}, PASSWORD), 'TOO_MANY_ATTEMPTS');
  t.is(await as({ origin: extension('f') }, PASSWORD), 'TOO_MANY_ATTEMPTS');
  t.is(await as({}, PASSWORD, 'lwd.prune'), 'TOO_MANY_ATTEMPTS', 'nor where the chain side acts');
  t.is(openings.derivations, 3);
  // Everybody else opens it; an extension that guesses waits by itself.
  for (const caller of [{ byOwner: true }, { origin: PAGE }, grant('a')]) {
    t.is(await as(caller, PASSWORD), 'ok');
    await wallet.call('wallet.lock');
  }
  for (let free = 0; free < 3; free++) t.is(await as(grant('b'), 'wrong'), 'WRONG_PASSWORD');
  t.is(await as(grant('b'), PASSWORD), 'TOO_MANY_ATTEMPTS');
  t.not(await as({ byOwner: true }, PASSWORD, 'lwd.prune'), 'TOO_MANY_ATTEMPTS');
  t.is(await as(grant('a'), PASSWORD), 'ok');
  // A right password of one forgives the tries of no other.
  t.is(await as({}, PASSWORD), 'TOO_MANY_ATTEMPTS');
  wallet.clock.advance(1000);
  t.is(await as({}, PASSWORD), 'ok');
});
