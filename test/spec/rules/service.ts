// The routes around the wallet: configuration, events, session, watch-only, health and description.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { problemOf, refusal } from '../client.ts';
import { ROUTES } from '../routes.ts';
import { PASSWORD, PHRASE, type Rule, restored } from '../world.ts';

export const service: readonly Rule[] = [
  {
    name: 'configuration is stored and answered; last_scan_height cannot be set',
    says: '`{url, probe?}` -> the new config; stored even when the node is down; `probe: true` checks it first',
    async check(world) {
      const { client } = world;
      assert.equal((await client.setTheme({ theme: 'light' })).theme, 'light');
      const down = 'http://127.0.0.1:9';
      assert.equal((await refusal(client.setNodeUrl({ url: down, probe: true }))).code, 'NODE_UNREACHABLE');
      assert.notEqual((await client.config()).node_url, down);
      assert.match((await client.setNodeUrl({ url: down })).node_url, /^http:\/\/127\.0\.0\.1:9\/?$/);
      const compact = await client.setCompactServerUrl({ url: down });
      assert.match(compact.compact_server_url, /^http:\/\/127\.0\.0\.1:9\/?$/);
      for (const path of ['/api/config', '/api/config/last-scan-height']) {
        const answer = await client.raw('POST', path, {
          body: '{"last_scan_height":5}',
          headers: { 'content-type': 'application/json' },
        });
        assert.ok(answer.status === 404 || answer.status === 405, path);
      }
      assert.equal((await client.config()).last_scan_height, 0, '0 without a wallet');
      const again = await world.restart();
      assert.equal((await again.client.config()).theme, 'light');
      assert.match((await again.client.config()).node_url, /:9\/?$/);
    },
  },
  {
    name: 'lock, unlock and status agree; exists answers whatever the state',
    says: '`GET /api/wallet/status` `{exists, unlocked, expires_at, syncing, network}`',
    async check(world) {
      const { client } = world;
      const none = await client.status();
      assert.deepEqual(
        [none.exists, none.unlocked, none.expires_at, none.syncing],
        [false, false, null, false],
      );
      await restored(world);
      const open = await client.status();
      assert.deepEqual([open.exists, open.unlocked, typeof open.expires_at], [true, true, 'string']);
      await client.lock();
      const locked = await client.status();
      assert.deepEqual([locked.exists, locked.unlocked, locked.expires_at], [true, false, null]);
      assert.equal((await client.exists()).exists, true);
      await client.lock();
      const { expires_at } = await client.unlock({ password: PASSWORD });
      assert.equal((await client.status()).expires_at, expires_at);
      const again = await world.restart();
      assert.equal((await again.client.status()).unlocked, false, 'the session ends on exit');
    },
  },
  {
    name: 'a changed password is the only one that opens',
    says: '`POST /api/wallet/change-password` `{password, new_password}`',
    async check(world) {
      const { client } = world;
      await restored(world);
      const wrong = client.changePassword({ password: 'no', new_password: 'second one' });
      assert.equal((await refusal(wrong)).code, 'WRONG_PASSWORD');
      const bad = await refusal(client.changePassword({ password: PASSWORD, new_password: '' }));
      assert.equal(bad.code, 'INVALID_PASSWORD_FORMAT');
      await client.changePassword({ password: PASSWORD, new_password: 'second one' });
      await client.lock();
      assert.equal((await refusal(client.unlock({ password: PASSWORD }))).code, 'WRONG_PASSWORD');
      await client.unlock({ password: 'second one' });
      assert.equal((await client.backup({ password: 'second one' })).mnemonic, PHRASE);
    },
  },
  {
    name: 'a watch-only wallet sees what the keys see and has no phrase',
    says: '`POST /api/wallet/import-viewing-key` (watch-only from a UFVK)',
    blocks: 10,
    async check(world) {
      const { client, chain } = world;
      await restored(world);
      chain.pay('orchard', 9_000);
      await client.sync();
      const address = await client.address();
      const key = Object.values(await client.viewingKey({ password: PASSWORD })).find(
        (value): value is string => typeof value === 'string' && value.startsWith('uview'),
      );
      assert.ok(key, 'the viewing key is in the answer');
      const other = await world.another();
      await other.client.importViewingKey({ viewing_key: key, password: PASSWORD, birthday_height: 1 });
      await other.client.sync();
      assert.equal((await other.client.balance()).total_zatoshi, 9_000);
      assert.deepEqual(await other.client.address(), address);
      const { status, code } = await refusal(other.client.backup({ password: PASSWORD }));
      assert.ok(status < 500, code);
    },
  },
  {
    name: 'events resume after Last-Event-ID without loss or repetition, and carry amounts only in a session',
    says: '`GET /api/events` (server-sent events, resumable with `Last-Event-ID`)',
    blocks: 10,
    async check(world) {
      const { client, chain } = world;
      await restored(world);
      const paid = chain.pay('orchard', 60_000);
      const first = await client.events();
      await client.sync();
      const finished = await first.next('sync.finished');
      const received = first.seen.find(({ event }) => event === 'note.received');
      assert.ok(received, first.seen.map(({ event }) => event).join(' '));
      assert.match(received.data, /60000/);
      first.close();
      chain.spend(paid);
      await client.sync();
      await client.setTheme({ theme: 'dark' });
      const resumed = await client.events(finished.id);
      await resumed.next('config.changed');
      const names = resumed.seen.map(({ event }) => event);
      assert.ok(names.includes('note.spent'), names.join(' '));
      assert.ok(names.includes('sync.finished'));
      assert.ok(!resumed.seen.some(({ id }) => id === finished.id), 'the event of the id is not sent again');
      assert.ok(names.indexOf('note.spent') < names.indexOf('config.changed'), 'in order');
      await client.lock();
      await resumed.next('wallet.locked');
      resumed.close();
      const locked = await client.events(finished.id);
      await client.setTheme({ theme: 'light' });
      await locked.next('config.changed');
      for (const { event, data } of locked.seen) assert.doesNotMatch(data, /zatoshi"?:\s*\d/, event);
      await client.unlock({ password: PASSWORD });
      await locked.next('wallet.unlocked');
      locked.close();
    },
  },
  {
    name: 'health, readiness, metrics and the description are what the page describes',
    says: '`GET /healthz`, `GET /readyz` (503 with a reason), `GET /metrics`, `GET /api/openapi.json` (3.1)',
    blocks: 5,
    async check({ client }) {
      assert.equal((await client.raw('GET', '/healthz')).status, 200);
      assert.equal((await client.raw('GET', '/readyz')).status, 200);
      await client.setNodeUrl({ url: 'http://127.0.0.1:9' });
      const metrics = await client.raw('GET', '/metrics');
      assert.equal(metrics.status, 200);
      assert.match(metrics.headers['content-type'] ?? '', /^text\/plain/);
      assert.match(metrics.text, /^# TYPE \w+ (counter|gauge|histogram)$/m);
      const api = await client.openapi();
      assert.match(String(api['openapi']), /^3\.1/);
      const paths = api['paths'] as Record<string, Record<string, unknown>>;
      for (const { method, path } of ROUTES) {
        assert.ok(paths[path]?.[method.toLowerCase()], `${method} ${path} is described`);
      }
      assert.doesNotMatch(JSON.stringify(api), /lightwalletd|zaino|zebra/i, 'no vendor name');
      const unknown = await client.raw('GET', '/api');
      assert.equal(problemOf(unknown).code, 'NOT_FOUND');
    },
  },
  {
    name: 'birthdays without a given height: near the tip for a new wallet, from the start with a warning for a restored one',
    says: 'birthday on create = tip - 100 ...; on restore = Sapling activation, with a warning field',
    blocks: 150,
    async check(world) {
      assert.equal((await world.client.create({ password: PASSWORD })).birthday_height, 50);
      const other = await world.another();
      const made = await other.client.restore({ mnemonic: PHRASE, password: PASSWORD });
      assert.equal(made.birthday_height, 1);
      assert.ok(Object.entries(made).some(([name, value]) => /warning/.test(name) && Boolean(value)));
      assert.equal((await other.client.config()).birthday_height, 1);
    },
  },
  {
    name: 'a wallet file that cannot be read still exists, is reported as corrupt, and is never replaced',
    says: '`{exists}`; answered whatever state the file is in; `WALLET_CORRUPT` 500; an existing wallet: file untouched',
    async check(world) {
      await restored(world);
      const { dataDir } = world;
      const files = await readdir(dataDir);
      const name = files.find((file) => /wallet/.test(file) && !/lock|notes|db|sqlite/.test(file));
      assert.ok(name, files.join(' '));
      const file = join(dataDir, name);
      const broken = 'no wallet at all';
      const { client } = await world.restart(() => writeFile(file, broken));
      assert.equal((await client.exists()).exists, true);
      assert.equal((await refusal(client.unlock({ password: PASSWORD }))).code, 'WALLET_CORRUPT');
      assert.equal((await refusal(client.create({ password: PASSWORD }))).code, 'WALLET_EXISTS');
      const again = client.restore({ mnemonic: PHRASE, password: PASSWORD });
      assert.equal((await refusal(again)).code, 'WALLET_EXISTS');
      assert.equal(await readFile(file, 'utf8'), broken);
    },
  },
  {
    name: 'a start that cannot be refuses, says why, and leaves the files as they are',
    says: 'Unreadable config.json: start refuses, says what is wrong at which line; one process per data directory',
    ofProgram: true,
    async check(world) {
      const { dataDir, configFile } = world;
      const serve = (configDir: string, data: string, ...more: string[]) =>
        world.command(['serve', '--port', '0', '--config-dir', configDir, '--data-dir', data, ...more]);
      const second = await serve(dirname(configFile), dataDir);
      assert.notEqual(second.code, 0);
      assert.match(second.err, /\bpid \d+|process \d+/i);
      const other = join(dataDir, '..', 'other');
      await mkdir(other);
      const text = '{\n  "theme": "dark",\n  "node_url" "x"\n}\n';
      await writeFile(join(other, 'config.json'), text);
      const refused = await serve(other, join(other, 'data'));
      assert.notEqual(refused.code, 0);
      assert.match(refused.err, /line 3/);
      assert.equal(await readFile(join(other, 'config.json'), 'utf8'), text);
    },
  },
];
