// When a thread says that secrets have been in it that nobody needs any more.
import test from 'ava';
import type { CompanionEvent } from '../../src/protocol/events.ts';
import { SecretsHandled } from '../../src/workers/secretsHandled.ts';

const unlocked: CompanionEvent = { event: 'wallet.unlocked', data: { expires_at: null } };
const locked: CompanionEvent = { event: 'wallet.locked', data: { reason: 'asked' } };

class Watched {
  reported = 0;
  readonly secrets = new SecretsHandled(() => {
    this.reported += 1;
  });

  call(input: object, work: () => unknown = () => undefined): Promise<unknown> {
    return this.secrets.during({ name: 'x', input }, async () => work());
  }
}

for (const field of ['password', 'new_password', 'mnemonic', 'bip39_passphrase', 'viewing_key']) {
  test(`a call with ${field} and no session makes the thread spent, when it is answered`, async (t) => {
    const watched = new Watched();
    await watched.call({ [field]: 'x' }, () => t.is(watched.reported, 0));
    t.is(watched.reported, 1);
    t.true(watched.secrets.mayRetire());
  });
}

test('calls without a secret leave a thread as it is', async (t) => {
  const watched = new Watched();
  await watched.call({ theme: 'dark' });
  await watched.secrets.during(undefined, async () => undefined);
  await watched.secrets.during({ input: null }, async () => undefined);
  t.is(watched.reported, 0);
});

test('a call that throws is over too', async (t) => {
  const watched = new Watched();
  await t.throwsAsync(
    watched.call({ password: 'x' }, () => {
      throw new Error('wrong');
    }),
  );
  t.is(watched.reported, 1);
  t.true(watched.secrets.mayRetire());
});

test('other calls that end while a password is in use do not make the thread spent', async (t) => {
  const watched = new Watched();
  await watched.call({ password: 'x' }, async () => {
    await watched.call({});
    await watched.call({ password: 'wrong' });
    t.is(watched.reported, 0);
  });
  t.is(watched.reported, 1);
});

test('a session keeps its thread, and the lock makes it spent once', async (t) => {
  const watched = new Watched();
  await watched.call({ password: 'x' }, () => watched.secrets.sawEvent(unlocked));
  await watched.call({ password: 'x' });
  t.is(watched.reported, 0);
  t.false(watched.secrets.mayRetire());
  watched.secrets.sawEvent(locked);
  watched.secrets.sawEvent(locked);
  t.is(watched.reported, 1);
});

test('a thread that is in use when it should retire is kept, and says again when it is spent', async (t) => {
  const watched = new Watched();
  await watched.call({ password: 'x' });
  t.is(watched.reported, 1);
  await watched.call({}, () => t.false(watched.secrets.mayRetire()));
  t.is(watched.reported, 2);
  t.true(watched.secrets.mayRetire());
});

test('an unlock after the lock counts as a new session', async (t) => {
  const watched = new Watched();
  watched.secrets.sawEvent(unlocked);
  watched.secrets.sawEvent(locked);
  watched.secrets.sawEvent(unlocked);
  t.false(watched.secrets.mayRetire());
  watched.secrets.sawEvent(locked);
  t.is(watched.reported, 2);
});
