// Who is let in: the rules of the front door, and of the waits after wrong passwords.
import assert from 'node:assert/strict';
import { problemOf, refusal } from '../client.ts';
import { PASSWORD, type Rule, restored, WRONG } from '../world.ts';

const EXTENSION = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';
const JSON_BODY = { 'content-type': 'application/json' };

export const frontDoor: readonly Rule[] = [
  {
    name: 'Host has to be a loopback name, with any port',
    says: '`Host` must be a loopback name (any port, so that tunnels work)',
    async check({ client }) {
      for (const host of ['127.0.0.1', '127.0.0.1:9', 'localhost', 'localhost:1234', '[::1]:3000', '[::1]']) {
        assert.equal((await client.raw('GET', '/api/version', { headers: { host } })).status, 200, host);
      }
      for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1']) {
        const answer = await client.raw('GET', '/api/version', { headers: { host } });
        assert.equal(problemOf(answer).code, 'HOST_FORBIDDEN', host);
      }
    },
  },
  {
    name: 'an Origin that is not allowed is refused before any handler, on every route',
    says: '`Origin`, when sent, must be on `allowed_origins` ... Else 403 before any handler runs',
    ofProgram: true,
    async check({ client }) {
      for (const origin of [
        'https://evil.example',
        'null',
        'http://localhost:1',
        EXTENSION,
        `${client.base}.x`,
      ]) {
        for (const path of ['/api/version', '/healthz', '/metrics', '/api/events', '/nothing']) {
          const answer = await client.raw('GET', path, { headers: { origin } });
          assert.equal(problemOf(answer).code, 'ORIGIN_FORBIDDEN', `${origin} ${path}`);
          assert.equal(answer.headers['access-control-allow-origin'], undefined);
        }
        const body = JSON.stringify({ theme: 'dark' });
        const headers = { ...JSON_BODY, origin };
        const answer = await client.raw('POST', '/api/config/theme', { body, headers });
        assert.equal(problemOf(answer).code, 'ORIGIN_FORBIDDEN', origin);
      }
      assert.equal((await client.config()).theme, 'system');
      assert.equal(
        (await client.raw('GET', '/api/version', { headers: { origin: client.base } })).status,
        200,
      );
    },
  },
  {
    name: 'without Origin a cross-site fetch is refused',
    says: 'without Origin, `Sec-Fetch-Site` other than `same-origin` or `none` is refused',
    async check({ client }) {
      for (const site of ['same-origin', 'none']) {
        const answer = await client.raw('GET', '/api/version', { headers: { 'sec-fetch-site': site } });
        assert.equal(answer.status, 200, site);
      }
      for (const site of ['cross-site', 'same-site', 'anything', '']) {
        const answer = await client.raw('GET', '/api/version', { headers: { 'sec-fetch-site': site } });
        assert.equal(problemOf(answer).code, 'ORIGIN_FORBIDDEN', site);
      }
    },
  },
  {
    name: 'preflight is answered for allowed origins alone, private network included',
    says: 'Preflight and private-network access are answered for allowed origins alone',
    async check(world) {
      const edited = await world.restart(() => world.writeConfig({ allowed_origins: [EXTENSION] }));
      const { client } = edited;
      const ask = (origin: string) =>
        client.raw('OPTIONS', '/api/sync', {
          headers: {
            origin,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'content-type',
            'access-control-request-private-network': 'true',
          },
        });
      const yes = await ask(EXTENSION);
      assert.ok(yes.status === 204 || yes.status === 200);
      assert.equal(yes.headers['access-control-allow-origin'], EXTENSION);
      assert.match(yes.headers['access-control-allow-methods'] ?? '', /POST/);
      assert.match(yes.headers['access-control-allow-headers'] ?? '', /content-type/i);
      assert.equal(yes.headers['access-control-allow-private-network'], 'true');
      const no = await ask('https://evil.example');
      assert.equal(problemOf(no).code, 'ORIGIN_FORBIDDEN');
      assert.equal(no.headers['access-control-allow-origin'], undefined);
      const real = await client.raw('GET', '/api/version', { headers: { origin: EXTENSION } });
      assert.equal(real.status, 200);
      assert.equal(real.headers['access-control-allow-origin'], EXTENSION);
      assert.match(real.headers.vary ?? '', /origin/i);
    },
  },
  {
    name: 'requests with an Origin are rate-limited, local programs are not',
    says: 'Rate limit 100 requests/s with a burst of 200 for requests with an Origin; local programs have none',
    ofProgram: true,
    async check({ client }) {
      for (let at = 0; at < 400; at++) {
        assert.equal((await client.raw('GET', '/api/version')).status, 200, `local request ${at}`);
      }
      const began = performance.now();
      const statuses: number[] = [];
      const ask = async () => {
        const answer = await client.raw('GET', '/api/version', { headers: { origin: client.base } });
        if (answer.status !== 200) assert.equal(problemOf(answer).code, 'RATE_LIMITED');
        statuses.push(answer.status);
      };
      for (let at = 0; at < 50; at++) await Promise.all(Array.from({ length: 20 }, ask));
      const seconds = (performance.now() - began) / 1000;
      const passed = statuses.filter((status) => status === 200).length;
      assert.deepEqual(statuses.slice(0, 200), Array(200).fill(200), 'the burst passes');
      // However slow the machine is, no more can pass than burst and rate allow in the time it took.
      assert.ok(passed <= 200 + 100 * seconds + 1, `${passed} passed in ${seconds} s`);
      assert.equal((await client.raw('GET', '/api/version')).status, 200, 'local programs go on');
    },
  },
  {
    name: 'three wrong tries are free, the next one waits 1 s at first and never more than 5 s',
    says: 'Three wrong tries are free, then the next one waits (1 s doubling to 5 s): 429',
    async check(world) {
      const { client } = world;
      await restored(world);
      await client.lock();
      for (let at = 0; at < 3; at++) {
        assert.equal((await refusal(client.unlock({ password: WRONG }))).code, 'WRONG_PASSWORD', `try ${at}`);
      }
      const headers = JSON_BODY;
      const body = JSON.stringify({ password: WRONG });
      const waits = new Set<string | undefined>();
      for (let at = 0; at < 20; at++) {
        const answer = await client.raw('POST', '/api/wallet/unlock', { body, headers });
        if (answer.status !== 429) continue;
        assert.equal(problemOf(answer).code, 'TOO_MANY_ATTEMPTS');
        waits.add(answer.headers['retry-after']);
      }
      for (const wait of waits) assert.ok(Number(wait) >= 1 && Number(wait) <= 5, `Retry-After ${wait}`);
    },
  },
  {
    name: 'forty wrong passwords at once on any surface never lock the owner out beyond the decided wait',
    says: 'KDF ... one at a time ... the next one waits (1 s doubling to 5 s); an open session is never disturbed',
    async check(world) {
      const { client } = world;
      await restored(world);
      await client.lock();
      const surfaces = [
        () => client.unlock({ password: WRONG }),
        () => client.sync({ password: WRONG }),
        () => client.backup({ password: WRONG }),
        () => client.setTheme({ theme: 'dark', password: WRONG }),
        () => client.cancel({ password: WRONG }),
      ];
      const began = performance.now();
      const storm = Array.from({ length: 40 }, (_, at) => refusal(surfaces[at % surfaces.length]!()));
      const codes = (await Promise.all(storm)).map(({ code }) => code);
      for (const code of codes) assert.match(code, /WRONG_PASSWORD|TOO_MANY_ATTEMPTS|BUSY|SYNC_IN_PROGRESS/);
      // Three are free and the waits between the others are no shorter than a second, however slow the machine is.
      const tried = codes.filter((code) => code === 'WRONG_PASSWORD').length;
      assert.ok(tried <= 4 + (performance.now() - began) / 1000, codes.join(' '));
      assert.equal((await client.config()).theme, 'system');
      await world.until(async () => {
        const answer = await client.raw('POST', '/api/wallet/unlock', {
          body: JSON.stringify({ password: PASSWORD }),
          headers: JSON_BODY,
        });
        if (answer.status === 200) return true;
        assert.equal(problemOf(answer).code, 'TOO_MANY_ATTEMPTS');
        assert.ok(Number(answer.headers['retry-after']) <= 5);
        return false;
      });
      await client.balance();
      await Promise.all(Array.from({ length: 10 }, () => refusal(client.unlock({ password: WRONG }))));
      await client.balance();
      assert.equal((await client.status()).unlocked, true, 'an open session is never disturbed');
    },
  },
];
