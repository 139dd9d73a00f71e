// Every failure on every surface has one form, and which of two reasons is named.
import assert from 'node:assert/strict';
import { problemOf, refusal } from '../client.ts';
import { POST_ROUTES, ROUTES, SESSION_ROUTES } from '../routes.ts';
import { PASSWORD, PHRASE, type Rule, restored } from '../world.ts';

const JSON_BODY = { 'content-type': 'application/json' };

export const errors: readonly Rule[] = [
  {
    name: 'bad JSON, a body that is no object, 404, 405, 413 and 415 are problem documents',
    says: 'Every failure on every surface (bad JSON, 404, 405, 413, 415 included) is RFC 9457',
    async check({ client }) {
      for (const { path } of POST_ROUTES) {
        for (const body of ['{', '[]', '5', 'null', '"x"', '{"a":1}{', '\u0000']) {
          const answer = await client.raw('POST', path, { body, headers: JSON_BODY });
          assert.match(problemOf(answer).code, /INVALID_REQUEST/, `${path} ${body}`);
        }
        const text = await client.raw('POST', path, {
          body: '{}',
          headers: { 'content-type': 'text/plain' },
        });
        assert.equal(problemOf(text).code, 'UNSUPPORTED_MEDIA_TYPE', path);
        const without = await client.raw('POST', path, { body: '{}' });
        assert.equal(problemOf(without).code, 'UNSUPPORTED_MEDIA_TYPE', path);
        const body = JSON.stringify({ password: 'x'.repeat(65 * 1024) });
        const large = await client.raw('POST', path, { body, headers: JSON_BODY });
        assert.equal(problemOf(large).code, 'BODY_TOO_LARGE', path);
      }
      assert.equal(problemOf(await client.raw('GET', '/api/nothing')).code, 'NOT_FOUND');
      assert.equal(problemOf(await client.raw('GET', '/api/wallet/exists/')).code, 'NOT_FOUND');
      for (const { method, path } of ROUTES) {
        const both = ROUTES.filter((route) => route.path === path).map((route) => route.method);
        const other = method === 'GET' ? 'POST' : 'GET';
        for (const wrong of ['DELETE', 'PUT', 'PATCH', ...(both.includes(other) ? [] : [other])]) {
          const answer = await client.raw(wrong, path);
          assert.equal(problemOf(answer).code, 'METHOD_NOT_ALLOWED', `${wrong} ${path}`);
          assert.match(answer.headers.allow ?? '', new RegExp(method), `${wrong} ${path}`);
        }
      }
    },
  },
  {
    name: 'a body of just the limit is taken',
    says: 'Body limit 64 KiB',
    async check({ client }) {
      const frame = JSON.stringify({ theme: 'dark' });
      const send = (length: number) =>
        client.raw('POST', '/api/config/theme', { body: frame.padEnd(length, ' '), headers: JSON_BODY });
      assert.equal((await send(65_536)).status, 200);
      assert.equal(problemOf(await send(65_537)).code, 'BODY_TOO_LARGE');
    },
  },
  {
    name: 'without a wallet: NO_WALLET, but bad input before it',
    says: '`NO_WALLET` before `WALLET_LOCKED` before anything else about the wallet; bad input before both',
    async check({ client }) {
      for (const route of SESSION_ROUTES) {
        const answer = await client.raw(route.method, route.path);
        assert.equal(problemOf(answer).code, 'NO_WALLET', route.path);
      }
      assert.equal((await refusal(client.sync())).code, 'NO_WALLET');
      assert.equal((await refusal(client.unlock({ password: PASSWORD }))).code, 'NO_WALLET');
      assert.equal((await refusal(client.backup({ password: PASSWORD }))).code, 'NO_WALLET');
      assert.equal((await refusal(client.viewingKey({ password: PASSWORD }))).code, 'NO_WALLET');
      assert.equal((await refusal(client.sync({ start_height: 9, end_height: 5 }))).code, 'INVALID_RANGE');
      assert.equal((await refusal(client.sync({ node_url: 'ftp://x' }))).code, 'INVALID_URL');
      for (const query of [
        'limit=0',
        'limit=1001',
        'limit=x',
        'pool=sprout',
        'unspent=maybe',
        'account=-1',
      ]) {
        assert.equal((await refusal(client.notes(`?${query}`))).code, 'INVALID_REQUEST', query);
      }
      assert.equal((await refusal(client.notes('?cursor=@@'))).code, 'INVALID_REQUEST');
      assert.equal((await refusal(client.address('?diversifier_index=-1'))).code, 'INVALID_REQUEST');
    },
  },
  {
    name: 'locked: WALLET_LOCKED, but bad input before it',
    says: 'Locked or without wallet: `NO_WALLET` before `WALLET_LOCKED`; bad input before both',
    async check(world) {
      const { client } = world;
      await restored(world);
      await client.lock();
      for (const route of SESSION_ROUTES) {
        const answer = await client.raw(route.method, route.path);
        assert.equal(problemOf(answer).code, 'WALLET_LOCKED', route.path);
      }
      assert.equal((await refusal(client.sync())).code, 'WALLET_LOCKED');
      assert.equal((await refusal(client.sync({ start_height: 9, end_height: 5 }))).code, 'INVALID_RANGE');
      assert.equal((await refusal(client.rescan({ from_height: -1 }))).code, 'INVALID_REQUEST');
      assert.equal((await refusal(client.notes('?limit=1001'))).code, 'INVALID_REQUEST');
      const missing = await refusal(client.unlock({}));
      assert.match(missing.code, /INVALID_(REQUEST|PASSWORD_FORMAT)/);
      assert.ok(missing.errors?.some(({ path }) => /password/.test(path)));
    },
  },
  {
    name: 'each bad field has its own code and is named',
    says: '`errors` lists `{path, message}` per bad field',
    async check({ client }) {
      const birthday = await refusal(
        client.create({ password: PASSWORD, birthday_height: -1, word_count: 13 }),
      );
      assert.equal(birthday.code, 'INVALID_REQUEST');
      const paths = (birthday.errors ?? []).map(({ path }) => path).join(' ');
      assert.match(paths, /birthday_height/);
      assert.match(paths, /word_count/);
      for (const mnemonic of ['', 'abandon', PHRASE.replace('art', 'zoo'), PHRASE.replace('art', 'qqq')]) {
        const wrong = await refusal(client.restore({ mnemonic, password: PASSWORD }));
        assert.equal(wrong.code, 'INVALID_MNEMONIC', mnemonic);
        assert.doesNotMatch(JSON.stringify(wrong), /abandon abandon|qqq/, 'no word of the phrase comes back');
      }
      for (const url of ['', 'ftp://a', 'http://u:p@127.0.0.1:1', 'nothing', 'file:///etc/passwd']) {
        assert.equal((await refusal(client.setNodeUrl({ url }))).code, 'INVALID_URL', url);
        assert.equal((await refusal(client.setCompactServerUrl({ url }))).code, 'INVALID_URL', url);
      }
      assert.equal((await refusal(client.setTheme({ theme: 'pink' }))).code, 'INVALID_THEME');
      assert.equal((await refusal(client.setTheme({}))).code, 'INVALID_REQUEST');
      for (const height of [-1, 1.5, '5', 2 ** 53, 1e300]) {
        const wrong = await refusal(client.sync({ start_height: height }));
        assert.match(wrong.code, /INVALID_(REQUEST|RANGE)/, String(height));
      }
      assert.equal((await refusal(client.sync({ source: 'pigeon' }))).code, 'INVALID_REQUEST');
      const key = client.importViewingKey({ viewing_key: 'uviewregtest1x', password: PASSWORD });
      assert.equal((await refusal(key)).code, 'INVALID_VIEWING_KEY');
      assert.equal((await client.exists()).exists, false);
    },
  },
  {
    name: 'a phrase is forgiven white space and case',
    says: '12 to 24 words, NFKD-normalised, white space and case forgiven, checksum checked',
    async check({ client }) {
      const mnemonic = `  ${PHRASE.toUpperCase().replaceAll(' ', ' \n\t')} `;
      await client.restore({ mnemonic, password: PASSWORD });
      assert.equal((await client.backup({ password: PASSWORD })).mnemonic, PHRASE);
    },
  },
  {
    name: 'a query parameter that no route knows is refused, as an unknown body field is',
    says: 'so that a typo never silently does something else',
    async check({ client }) {
      for (const path of [
        '/api/balance',
        '/api/notes',
        '/api/transactions',
        '/api/address',
        '/api/lwd/info',
      ]) {
        const answer = await client.raw('GET', `${path}?acount=0`);
        const { code, errors = [] } = problemOf(answer);
        assert.equal(code, 'INVALID_REQUEST', path);
        assert.match(JSON.stringify(errors), /acount/, path);
      }
    },
  },
];
