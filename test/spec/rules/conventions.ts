// The conventions that hold on every route.
import assert from 'node:assert/strict';
import { oneIn } from '@wallet-companion/base/test/atLength';
import { problemOf, refusal } from '../client.ts';
import { POST_ROUTES, ROUTES, type Route } from '../routes.ts';
import { PASSWORD, PHRASE, type Rule, restored, type World, WRONG } from '../world.ts';

const JSON_BODY = { 'content-type': 'application/json' };
const bodyOf = (route: Route) => ({ ...route.body, ...(route.needsPassword && { password: PASSWORD }) });
const post = (world: World, route: Route, body: object) =>
  world.client.raw('POST', route.path, { body: JSON.stringify(body), headers: JSON_BODY });

/** All of them are tried in each run without a process: test/contract/password.full.test.ts. */
const ROUTES_WITH_PASSWORD = oneIn(5, POST_ROUTES);

export const conventions: readonly Rule[] = [
  {
    name: 'an optional field that is null counts as absent',
    says: 'An optional field that is `null` counts as absent',
    async check(world) {
      for (const route of POST_ROUTES) {
        if (route.path === '/api/wallet/create' || route.path === '/api/wallet/restore') continue;
        const nulls = Object.fromEntries((route.optional ?? []).map((name) => [name, null]));
        const password = route.needsPassword ? PASSWORD : null;
        const answer = await post(world, route, { ...route.body, ...nulls, password });
        if (answer.status === 200) continue;
        const { code } = problemOf(answer);
        const expected = route.path.endsWith('import-viewing-key') ? 'INVALID_VIEWING_KEY' : 'NO_WALLET';
        assert.equal(code, expected, route.path);
      }
      const all = { birthday_height: null, bip39_passphrase: null };
      await world.client.restore({ mnemonic: PHRASE, password: PASSWORD, ...all });
    },
  },
  {
    name: 'null counts as absent in create',
    says: 'An optional field that is `null` counts as absent',
    async check({ client }) {
      const made = await client.create({ password: PASSWORD, word_count: null, birthday_height: null });
      assert.equal(made.mnemonic.split(' ').length, 24);
    },
  },
  {
    name: 'an empty POST body counts as {} where every field is optional',
    says: 'an empty POST body counts as `{}` where every field is optional',
    async check(world) {
      for (const route of POST_ROUTES) {
        const needed = route.needsPassword || Object.keys(route.body ?? {}).length > 0;
        for (const headers of [{}, JSON_BODY]) {
          const answer = await world.client.raw('POST', route.path, { headers });
          if (needed) {
            assert.match(problemOf(answer).code, /^INVALID_/, route.path);
          } else if (answer.status !== 200) {
            assert.equal(problemOf(answer).code, 'NO_WALLET', route.path);
          }
        }
      }
      assert.deepEqual((await world.client.exists()).exists, false);
    },
  },
  {
    name: 'an unknown field is refused and named on every POST route',
    says: 'Unknown body fields are refused (`INVALID_REQUEST` naming the field)',
    async check(world) {
      for (const route of POST_ROUTES) {
        const problem = problemOf(await post(world, route, { ...bodyOf(route), strat_height: 5 }));
        assert.equal(problem.code, 'INVALID_REQUEST', route.path);
        const fields = problem.errors ?? [];
        assert.ok(
          fields.some(({ path, message }) => /strat_height/.test(`${path} ${message}`)),
          `${route.path} names ${JSON.stringify(fields)}`,
        );
      }
      assert.deepEqual((await world.client.exists()).exists, false);
    },
  },
  {
    name: 'every response carries x-request-id, and a secret or its trace is never stored',
    says: 'Each response carries `x-request-id`. Anything that carries or follows a secret is `cache-control: no-store`',
    async check(world) {
      await restored(world);
      for (const route of ROUTES) {
        if (route.path === '/api/wallet/lock') continue;
        const answer =
          route.method === 'GET'
            ? await world.client.raw('GET', route.path)
            : await post(world, route, { ...bodyOf(route), password: PASSWORD });
        assert.ok(answer.headers['x-request-id'], route.path);
        const secret = route.access !== 'anyone' || route.method === 'POST';
        if (secret) assert.match(answer.headers['cache-control'] ?? '', /no-store/, route.path);
        if (route.path === '/api/wallet/change-password') {
          await world.client.changePassword({ password: 'another one', new_password: PASSWORD });
        }
      }
    },
  },
  {
    name: 'a password is checked on every POST route, whether it is needed or not',
    says: '`password` is a known field of every POST route: where it is not needed it is still checked',
    async check(world) {
      await restored(world);
      for (const route of ROUTES_WITH_PASSWORD) {
        const answer = await post(world, route, { ...bodyOf(route), password: WRONG });
        const { code } = problemOf(answer);
        if (/create|restore|import/.test(route.path)) {
          assert.match(code, /WALLET_EXISTS|WRONG_PASSWORD|INVALID_VIEWING_KEY/, route.path);
        } else {
          assert.equal(code, 'WRONG_PASSWORD', route.path);
        }
        await world.client.unlock({ password: PASSWORD });
      }
      assert.equal((await world.client.config()).theme, 'system', 'nothing was done with the wrong password');
    },
  },
  {
    name: 'the right password opens the session on every POST route that does without',
    says: '`password` ... opens the session as in sync, and goes no further than the wallet actor',
    async check(world) {
      await restored(world);
      for (const route of ROUTES_WITH_PASSWORD) {
        if (route.needsPassword || route.path === '/api/wallet/lock') continue;
        await world.client.lock();
        await post(world, route, { ...route.body, password: PASSWORD });
        assert.equal((await world.client.status()).unlocked, true, route.path);
      }
    },
  },
  {
    name: 'a password of a wrong type or length is bad input everywhere',
    says: 'Password: 1 to 1,024 bytes of UTF-8',
    async check(world) {
      for (const route of ROUTES_WITH_PASSWORD) {
        for (const password of ['', 'x'.repeat(1025), 'ä'.repeat(513)]) {
          const { code } = problemOf(await post(world, route, { ...route.body, password }));
          assert.equal(code, 'INVALID_PASSWORD_FORMAT', `${route.path} ${password.length}`);
        }
        for (const password of [5, [], {}, true]) {
          const { code } = problemOf(await post(world, route, { ...route.body, password }));
          assert.match(code, /INVALID_(REQUEST|PASSWORD_FORMAT)/, route.path);
        }
      }
      await world.client.create({ password: 'ä'.repeat(512) });
    },
  },
  {
    name: 'a password counts the same however its characters are composed',
    says: 'Password: ... NFKC, no composition rules',
    async check({ client }) {
      await client.create({ password: 'caf\u00e9' });
      await client.lock();
      await client.unlock({ password: 'cafe\u0301' });
    },
  },
  {
    name: 'GET /api/version has its fields',
    says: '`GET /api/version` returns `{name, version, api_version: 1, network, features: []}`',
    async check({ client }) {
      assert.equal((await client.version()).network, 'regtest');
    },
  },
  {
    name: 'create makes the session, once; restore and create refuse a second wallet and leave the file',
    says: 'An existing wallet: 409, file untouched',
    async check({ client }) {
      const made = await client.create({ password: PASSWORD, word_count: 12 });
      assert.equal(made.mnemonic.split(' ').length, 12);
      assert.equal((await client.status()).unlocked, true);
      assert.equal((await refusal(client.create({ password: PASSWORD }))).code, 'WALLET_EXISTS');
      const other = client.restore({ mnemonic: PHRASE, password: PASSWORD });
      assert.equal((await refusal(other)).code, 'WALLET_EXISTS');
      await client.lock();
      const { unified_address } = await client.unlock({ password: PASSWORD });
      assert.equal(unified_address, made.unified_address);
      const kept = await client.backup({ password: PASSWORD });
      assert.equal(kept.mnemonic, made.mnemonic);
      assert.equal(kept.birthday_height, made.birthday_height);
    },
  },
];
