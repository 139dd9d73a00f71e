// The process is killed (SIGKILL: nothing is flushed, nobody is told) at every kind of moment, and started again on the
// same folders: what was answered stays, nothing is half, and nothing of it is taken for a user's edit.
import { existsSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { oneIn } from '@wallet-companion/base/test/atLength';
import test, { type ExecutionContext } from 'ava';
import type { Output } from '../../src/protocol/operations.ts';
import { type FixtureNode, ORDINARY, SILENCE } from '../helpers/fixtureNode.ts';
import {
  expectedBalance,
  expectedNotes,
  readKnownSeed,
  shownBalance,
  shownNotes,
  startKnownSeedNode,
} from '../helpers/knownSeed.ts';
import { type Service, startService } from '../helpers/service.ts';
import { PASSWORD } from '../helpers/walletHarness.ts';

const seed = readKnownSeed('main');
const first = seed.firstHeight;
const last = first + seed.mainBlocks.length - 1;

type Running = Awaited<ReturnType<typeof startService>>;

/** Resolves when a file with such a name is made, changed or moved there. */
function touched(folder: string, name: RegExp): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, (_event, file) => {
      if (file === null || !name.test(file)) return;
      watcher.close();
      resolve();
    });
  });
}

function leftovers(service: Service): string[] {
  return [service.configDir, service.dataDir]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder))
    .filter((name) => name.endsWith('.tmp'));
}

async function ok<T>(answer: Promise<{ status: number; body: T }>): Promise<T> {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

/** One service after the other on the same folders. */
class Life {
  readonly #t: ExecutionContext;
  readonly #node: FixtureNode;
  service!: Running;

  constructor(t: ExecutionContext, node: FixtureNode) {
    this.#t = t;
    this.#node = node;
  }

  static async begin(t: ExecutionContext): Promise<Life> {
    const node = await startKnownSeedNode(seed);
    const life = new Life(t, node);
    life.service = await startService(t, { config: { network: 'main', node_url: node.url, theme: 'dark' } });
    t.teardown(async () => {
      await life.service.kill();
      await node.stop();
      life.service.remove();
    });
    return life;
  }

  /** Sends the request, kills the process at that moment, and starts it again. */
  async killedAt(moment: Promise<unknown>, route: string, body: object): Promise<void> {
    const request = this.service.post(route, body).catch(() => undefined);
    await Promise.race([moment, request]);
    await this.service.kill();
    await request;
    this.#node.answer = () => ORDINARY;
    this.service = await startService(this.#t, { folder: this.service.folder });
    this.#t.deepEqual(leftovers(this.service), []);
  }

  /** The node does not answer for this block; resolves when it is asked. */
  silentAt(height: number): Promise<void> {
    return new Promise((resolve) => {
      this.#node.answer = (method, [block]) => {
        if (method !== 'getblock' || block !== String(height)) return ORDINARY;
        resolve();
        return SILENCE;
      };
    });
  }

  /** Asks until a higher one is shown. */
  async heightAbove(height: number): Promise<void> {
    for (;;) {
      if ((await this.config()).last_scan_height > height) return;
    }
  }

  config(): Promise<Output<'config.get'>> {
    return ok(this.service.get<Output<'config.get'>>('/api/config'));
  }

  /** Unlocks and holds what is there against the known chain; gives the scanned height. */
  async check(): Promise<number> {
    const t = this.#t;
    await ok(this.service.post('/api/wallet/unlock', { password: PASSWORD }));
    const balance = await ok(this.service.get<Output<'balance.get'>>('/api/balance'));
    const config = await this.config();
    const { last_scan_height: scanned } = config;
    t.is(balance.complete, scanned >= first);
    t.deepEqual(shownBalance(balance), expectedBalance(seed.main, scanned, [0]));
    t.is(balance.as_of_height, scanned >= first ? scanned : null);
    t.like(config, { theme: 'dark', birthday_height: first, network: 'main' });
    return scanned;
  }
}

test('killed while it scans, commits or writes config.json: nothing is lost or scanned around', async (t) => {
  const life = await Life.begin(t);
  await ok(
    // Not by the phrase: a search for accounts would scan the same blocks again.
    life.service.post('/api/wallet/import-viewing-key', {
      viewing_key: seed.accounts[0]!.ufvk,
      password: PASSWORD,
      birthday_height: first,
    }),
  );
  let scanned = first - 1;
  const moments: readonly (readonly [string, (service: Running) => Promise<void>])[] = [
    ['blocks are fetched', () => life.silentAt(first + 8)],
    ['the note store is written', ({ dataDir }) => touched(dataDir, /^ledger\.db-wal$/)],
    ['config.json is about to be replaced', ({ configDir }) => touched(configDir, /\.tmp$/)],
    ['a new height was shown', () => life.heightAbove(scanned)],
    ['config.json was replaced', ({ configDir }) => touched(configDir, /^config\.json$/)],
  ];
  for (const [what, moment] of oneIn(2, moments)) {
    await life.killedAt(moment(life.service), '/api/sync', { end_height: scanned + 9 });
    const shown = (await life.config()).last_scan_height;
    t.true(shown > scanned || what !== 'a new height was shown');
    const after = await life.check();
    t.true(after === scanned || after === scanned + 9, `${what}: ${scanned} became ${after}`);
    const summary = await ok(life.service.post<Output<'sync.run'>>('/api/sync', { end_height: after + 2 }));
    t.like(summary, { start_height: after + 1, blocks_scanned: 2, reorg: null });
    scanned = after + 2;
  }
  t.true((await ok(life.service.post<Output<'sync.run'>>('/api/sync', {}))).caught_up);
  t.is(await life.check(), last);
  const { notes } = await ok(life.service.get<Output<'notes.list'>>('/api/notes?limit=1000'));
  t.deepEqual(shownNotes(notes), expectedNotes(seed.main, [0]));
});

test('killed while a wallet is made: there is none, or a whole one', async (t) => {
  const life = await Life.begin(t);
  const body = { password: PASSWORD, birthday_height: first };
  const moments: readonly (() => Promise<void>)[] = [
    () => touched(life.service.configDir, /\.tmp$/),
    () => touched(life.service.dataDir, /^\.wallet\.dat.*\.tmp$/),
    () => touched(life.service.dataDir, /^wallet\.dat$/),
  ];
  for (const moment of moments) {
    await life.killedAt(moment(), '/api/wallet/create', body);
    const { exists } = await ok(life.service.get('/api/wallet/exists'));
    if (exists === true) break;
    t.like(await life.config(), { last_scan_height: 0, birthday_height: null, theme: 'dark' });
  }
  const { status } = await life.service.post('/api/wallet/create', body);
  t.true(status === 200 || status === 409);
  t.is(await life.check(), first - 1);
  const { mnemonic } = await ok(life.service.post('/api/wallet/backup', { password: PASSWORD }));
  t.is(String(mnemonic).split(' ').length, 24);
});

test('killed while the password changes: one of the two opens the wallet', async (t) => {
  const life = await Life.begin(t);
  await ok(life.service.post('/api/wallet/create', { password: 'old one', birthday_height: first }));
  const { mnemonic } = await ok(life.service.post('/api/wallet/backup', { password: 'old one' }));
  await life.killedAt(
    touched(life.service.dataDir, /^\.wallet\.dat.*\.tmp$/),
    '/api/wallet/change-password',
    {
      password: 'old one',
      new_password: PASSWORD,
    },
  );
  const opened = await life.service.post('/api/wallet/unlock', { password: PASSWORD });
  t.true(opened.status === 200 || opened.status === 401);
  const password = opened.status === 200 ? PASSWORD : 'old one';
  const backup = await life.service.post('/api/wallet/backup', { password });
  t.is(backup.body['mnemonic'], mnemonic);
});

test('ended in the middle of a scan, it answers the scan, keeps what was scanned and exits with 0', async (t) => {
  const life = await Life.begin(t);
  const { service } = life;
  const restore = { mnemonic: seed.mnemonic, password: PASSWORD, birthday_height: first };
  await ok(service.post('/api/wallet/restore', restore));
  const silent = life.silentAt(last);
  const scanning = service.post('/api/sync', {});
  await Promise.race([silent, scanning]);
  const [code, answer] = await Promise.all([service.stop(), scanning]);
  t.is(code, 0);
  t.like(answer, { status: 200, body: { cancelled: true } });
  const { last_scan_height: kept } = JSON.parse(
    readFileSync(path.join(service.configDir, 'config.json'), 'utf8'),
  );
  t.is(kept, answer.body['last_scan_height']);
});

test('an edit of last_scan_height after a kill is still an edit', async (t) => {
  const life = await Life.begin(t);
  const imported = { viewing_key: seed.accounts[0]!.ufvk, password: PASSWORD, birthday_height: first };
  await ok(life.service.post('/api/wallet/import-viewing-key', imported));
  await ok(life.service.post('/api/sync', { end_height: first + 19 }));
  await life.service.kill();
  const file = path.join(life.service.configDir, 'config.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/("last_scan_height"\s*:\s*)\d+/, `$1${first + 4}`));
  life.service = await startService(t, { folder: life.service.folder });
  t.is((await life.config()).last_scan_height, first + 4);
  t.is(await life.check(), first + 4);
});
