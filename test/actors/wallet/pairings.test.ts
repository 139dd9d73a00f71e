import test from 'ava';
import { PASSWORD, startWallet } from '../../helpers/walletHarness.ts';

const MINUTE = 60_000;
const extension = (letter: string): string => `chrome-extension://${letter.repeat(32)}`;
const OURS = extension('a');
const MNEMONIC = `${'abandon '.repeat(11)}about`;

type Wallet = Awaited<ReturnType<typeof startWallet>>;

const ask = (wallet: Wallet, origin = OURS, name?: string) =>
  wallet.call('pairing.request', name === undefined ? { origin } : { origin, name });

async function withWallet(t: Parameters<typeof startWallet>[0]): Promise<Wallet> {
  const wallet = await startWallet(t, { config: { network: 'regtest' } });
  await wallet.call('wallet.restore', { mnemonic: MNEMONIC, password: PASSWORD, birthday_height: 1 });
  await wallet.call('wallet.lock');
  return wallet;
}

test('an extension that asks is shown with its code, and let in by the password alone', async (t) => {
  const wallet = await withWallet(t);
  const { status, code, expires_at } = await ask(wallet, OURS, 'Shop helper');
  t.is(status, 'waiting');
  t.regex(code ?? '', /^[A-Z2-9]{3}-[A-Z2-9]{3}$/);
  const { requests, allowed_origins } = await wallet.call('pairing.list');
  t.like(requests, [{ origin: OURS, name: 'Shop helper', code: code ?? '', expires_at: expires_at ?? '' }]);
  t.deepEqual(allowed_origins, []);
  t.is(await wallet.failure('pairing.allow', { code, password: 'wrong' }), 'WRONG_PASSWORD');
  t.is((await ask(wallet)).status, 'waiting');
  t.is((await ask(wallet)).code, code, 'asking again is the same question');

  const given = (code ?? '').toLowerCase().replace('-', '');
  const allowed = await wallet.call('pairing.allow', { code: given, password: PASSWORD });
  t.deepEqual(allowed, { requests: [], allowed_origins: [OURS] });
  t.deepEqual(await ask(wallet), { status: 'allowed', code: null, expires_at: null });
  t.deepEqual((await wallet.call('config.get')).allowed_origins, [OURS]);
  const told = wallet.events.filter(({ event }) => event === 'pairing.changed' || event === 'config.changed');
  t.deepEqual(
    told.map(({ event }) => event),
    ['pairing.changed', 'config.changed', 'pairing.changed'],
  );

  t.is(await wallet.failure('pairing.revoke', { origin: OURS, password: 'wrong' }), 'WRONG_PASSWORD');
  t.is(await wallet.failure('pairing.revoke', { origin: extension('b'), password: PASSWORD }), 'NOT_FOUND');
  const revoked = await wallet.call('pairing.revoke', { origin: OURS, password: PASSWORD });
  t.deepEqual(revoked.allowed_origins, []);
  t.is((await ask(wallet)).status, 'waiting');
});

test('who was refused cannot ask again for ten minutes, and a question is forgotten after five', async (t) => {
  const wallet = await withWallet(t);
  const { code } = await ask(wallet);
  await wallet.call('pairing.refuse', { code });
  t.deepEqual((await wallet.call('pairing.list')).requests, []);
  t.deepEqual(await ask(wallet), { status: 'refused', code: null, expires_at: null });
  t.is(await wallet.failure('pairing.allow', { code, password: PASSWORD }), 'NOT_FOUND');
  wallet.clock.advance(10 * MINUTE - 1);
  t.is((await ask(wallet)).status, 'refused');
  wallet.clock.advance(1);
  const again = await ask(wallet);
  t.is(again.status, 'waiting');
  t.not(again.code, code);
  wallet.clock.advance(5 * MINUTE);
  t.deepEqual((await wallet.call('pairing.list')).requests, []);
  t.is(await wallet.failure('pairing.allow', { code: again.code, password: PASSWORD }), 'NOT_FOUND');
});

test('what waits is bounded, and each has a code of its own', async (t) => {
  const wallet = await withWallet(t);
  const letters = [...'abcdefgh'];
  const codes = [];
  for (const letter of letters) codes.push((await ask(wallet, extension(letter))).code);
  t.is(new Set(codes).size, letters.length);
  t.is(await wallet.failure('pairing.request', { origin: extension('i') }), 'BUSY');
  t.is((await ask(wallet)).code, codes[0] ?? '', 'those that wait are not hindered');
  wallet.clock.advance(5 * MINUTE);
  t.is((await ask(wallet, extension('i'))).status, 'waiting');
});

test('pages, and names that could hide something, are refused', async (t) => {
  const wallet = await withWallet(t);
  for (const origin of [
    'https://example.org',
    'http://127.0.0.1:3000',
    'null',
    'chrome-extension://abc',
    `${OURS}/`,
    `${OURS}.example`,
    'moz-extension://not-a-uuid',
  ]) {
    t.is(await wallet.failure('pairing.request', { origin }), 'INVALID_REQUEST', origin);
  }
  for (const name of ['', 'a\nb', 'a\u202eb', 'a\u0007', 'x'.repeat(65), '\u200bHelper']) {
    t.is(
      await wallet.failure('pairing.request', { origin: OURS, name }),
      'INVALID_REQUEST',
      JSON.stringify(name),
    );
  }
  t.deepEqual((await wallet.call('pairing.list')).requests, []);
});

test('an extension asks for itself alone', async (t) => {
  const wallet = await withWallet(t);
  const asked = await wallet.actor.dispatch({
    name: 'pairing.request',
    input: { origin: OURS },
    requestId: 'test',
    origin: extension('b'),
  });
  t.like(asked, { ok: false, error: { code: 'ORIGIN_FORBIDDEN' } });
  t.deepEqual((await wallet.call('pairing.list')).requests, []);
});

test('what waits goes on to the next wallet thread', async (t) => {
  const wallet = await withWallet(t);
  const { code } = await ask(wallet);
  t.like(wallet.actor.carried.pairings, [{ origin: OURS, code: code ?? '' }]);
});
