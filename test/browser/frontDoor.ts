// The front door, tried by hostile pages in a real browser while the wallet is open and its dashboard is shown in the
// next tab: another name, another port, another port of the other name. Each attack of the table reads nothing and changes
// nothing; and each of them works on a companion without a front door, or it would show nothing.
//
// WALLET_COMPANION_ATTACKS=1 prints what was seen.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inTurn, oneIn } from '@wallet-companion/base/test/atLength';
import { Devnet } from '@wallet-companion/devnet';
import { regtestParameters } from '@wallet-companion/zcash/network';
import test from 'ava';
import type { Browser, BrowserKind, Page } from '../helpers/page.ts';
import { type Service, startService } from '../helpers/service.ts';
import { type Run, skipWithout, suite } from '../helpers/suite.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { ATTACKS, type Attack } from './attacks.ts';
import { HOSTILE_PAGE, type Site, startHostileSite, startOpenDoor } from './support/hostileSite.ts';
import { REBOUND, type RecordingProxy, startRecordingProxy } from './support/recordingProxy.ts';

interface World {
  readonly devnet: Devnet;
  readonly service: Service;
  readonly proxy: RecordingProxy;
  readonly site: Site;
  readonly publicSite: Site;
  readonly openDoor: Site;
  /** Requests that came to the companion without a front door. */
  readonly let: { count: number };
  readonly browser: Browser;
  readonly dashboard: Page;
  /** Tells what the companion has told of itself since. */
  readonly events: () => string;
  readonly attacked: AttackedBrowser;
}

export interface AttackedBrowser<P extends Page = Page> {
  readonly kind: BrowserKind<P>;
  /** `site`: its pages may do what a browser allows to HTTPS alone. `publicSite`: its address counts as a public one. */
  start(program: string, site: Site, publicSite: Site): Promise<Browser<P>>;
  /** As a person who lets these pages call this machine. False: the browser knows no such leave. */
  giveLeave(page: P, origin: string): Promise<boolean>;
  /** Attacks that end in another way here, by name. */
  readonly differs?: Readonly<Record<string, Partial<Pick<Attack, 'sees' | 'sent'>>>>;
}

const PASSWORD = 'correct horse battery';
const NAMES = ['evil.example', '127.0.0.1', 'localhost'];

export const frontDoorSuite = suite<World>();
const browserTest = frontDoorSuite.add;

/** What began has to end, however far the beginning came. */
const ends: (() => unknown)[] = [];
let since = 0;

async function listen(url: string, take: (text: string) => void): Promise<() => void> {
  const stop = new AbortController();
  const { body } = await fetch(`${url}/api/events`, { signal: stop.signal });
  const reading = (async () => {
    for await (const piece of body!.pipeThrough(new TextDecoderStream())) take(piece);
  })();
  reading.catch(() => undefined);
  return () => stop.abort();
}

async function start(attacked: AttackedBrowser, program: string): Promise<World> {
  const devnet = new Devnet({ params: regtestParameters({ nu6_3: 4 }), seed: 'front door' });
  ends.push(() => devnet.close());
  const config = {
    network: 'regtest',
    activation_heights: { nu6_3: 4 },
    node_url: await devnet.node.listen(),
    auto_lock_seconds: 0,
  };
  const service = await startService({ teardown: (end) => ends.push(end) }, { config });
  await service.post('/api/wallet/create', { password: PASSWORD, birthday_height: 1 });
  const { body } = await service.get<{ unified_address: string }>('/api/address');
  devnet.payTo(body.unified_address, { pool: 'sapling', zatoshi: 777_000_000, memo: 'between us' });
  await service.post('/api/sync', {});
  const proxy = await startRecordingProxy(service.url);
  ends.push(() => proxy.close());
  const counted = { count: 0 };
  const site = await startHostileSite(() => proxy.strangers().length + counted.count - since);
  ends.push(() => site.close());
  const openDoor = await startOpenDoor(() => {
    counted.count += 1;
  });
  ends.push(() => openDoor.close());
  const publicSite = await startHostileSite(() => 0);
  ends.push(() => publicSite.close());
  const browser = await attacked.start(program, site, publicSite);
  ends.push(() => browser.stop());
  const dashboard = await browser.page();
  await dashboard.open(`http://127.0.0.1:${proxy.port}/`);
  await dashboard.see('7.77');
  let reported = '';
  ends.push(
    await listen(service.url, (text) => {
      reported += text.replace('retry: 2000', '').replaceAll(/^:/gm, '').trim();
    }),
  );
  const events = () => reported;
  return {
    devnet,
    service,
    proxy,
    site,
    publicSite,
    openDoor,
    let: counted,
    browser,
    dashboard,
    events,
    attacked,
  };
}

/** One browser and one companion for all attacks. */
export function attacked<P extends Page>(browser: AttackedBrowser<P>): Run<World> {
  const program = browser.kind.find();
  if (program === undefined) return skipWithout(browser.kind.name);
  let world: Promise<World> | undefined;
  test.after.always(async () => {
    for (const end of ends.reverse()) await end();
  });
  return (title, body) =>
    test.serial(title, async (t) => {
      world ??= start(browser as AttackedBrowser, program);
      await body(t, await world);
    });
}

/** All that a caller could have changed, files included. */
async function stateOf({ service, events }: World): Promise<object> {
  const asked: Record<string, unknown> = {};
  for (const route of ['/api/config', '/api/wallet/status', '/api/pair', '/api/follow', '/api/sync/status']) {
    asked[route] = (await service.get(route)).body;
  }
  const files = [service.dataDir, service.configDir].flatMap((folder) =>
    readdirSync(folder).map((name) => {
      const file = path.join(folder, name);
      return `${name} ${/\.sock$/.test(name) ? '' : createHash('sha256').update(readFileSync(file)).digest('hex')}`;
    }),
  );
  return { asked, files, events: events() };
}

/** What the page saw, and how each request was answered that it made. */
async function attack(page: Page, { script }: Attack, to: string): Promise<string> {
  const expression = `(async (to, own) => { ${script} })(${JSON.stringify(to)}, location.origin)`;
  return page.evaluate(expression, { asPerson: true }).then(String, String);
}

const print = process.env['WALLET_COMPANION_ATTACKS'] === undefined ? () => undefined : console.log;

/** Each attack from one of the names, or from all of them. */
const attacksFrom = (name: string): readonly Attack[] =>
  ATTACKS.filter((_, place) => inTurn(NAMES, place).includes(name));

for (const name of NAMES) {
  browserTest(
    `hostile pages of http://${name} on another port read nothing and change nothing`,
    async (t, world) => {
      const { browser, dashboard, proxy, site, service, attacked } = world;
      const before = await stateOf(world);
      const page = await browser.page(dashboard);
      const counts = { tried: 0, refused: 0 };
      const seen: string[] = [];
      const rows = attacksFrom(name).map((row) => ({ ...row, ...attacked.differs?.[row.name] }));
      for (const row of rows) {
        await page.open(`http://${name}:${site.port}/`);
        await page.until('typeof arrived === "function"');
        const already = proxy.strangers().length;
        since = already + world.let.count;
        print(`${name}: ${row.name}…`);
        const saw = await attack(page, row, `http://127.0.0.1:${proxy.port}`);
        const asked = proxy.strangers().slice(already);
        const answers = asked.map(({ method, path, status }) => `${method} ${path} ${status}`);
        print(`${name}: ${row.name}: saw ${saw}; ${answers.join(', ')}`);
        seen.push(`${row.name}: ${saw}`);
        t.deepEqual(
          asked.filter(({ status }) => status !== 403),
          [],
          row.name,
        );
        if (row.sent !== false && asked.length === 0) seen.push(`${row.name} was not even sent`);
        counts.tried += 1;
        counts.refused += asked.length;
      }
      t.deepEqual(
        seen,
        rows.map(({ name, sees }) => `${name}: ${sees}`),
      );
      t.deepEqual(await stateOf(world), before);
      t.true((await dashboard.text()).includes('7.77'));
      t.is((await service.get('/api/balance')).body['total_zatoshi'], 777_000_000);
      t.log(`${counts.tried} attacks, ${counts.refused} requests, all refused`);
    },
  );
}

// The name led to the attacker when the page was loaded, and leads to this machine now: for the browser one origin.
for (const name of ['evil.example', 'evil.localhost', 'localhost.', '[::ffff:127.0.0.1]']) {
  browserTest(
    `a page whose name ${name} was bound to this machine is refused by its Host`,
    async (t, world) => {
      const { browser, dashboard, proxy } = world;
      const before = await stateOf(world);
      const page = await browser.page(dashboard);
      await page.open(`http://${name}:${proxy.port}${REBOUND}`);
      await page.until('typeof arrived === "function"');
      const already = proxy.strangers().length;
      const asked = await page.evaluate<string[]>(`Promise.all([
      ...['/api/config', '/api/balance', '/', '/healthz', '/api/pair'].map((path) => read(path)),
      read('/api/wallet/lock', { method: 'POST' }),
      read('/api/config/theme', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"theme":"dark"}' }),
      framed({ src: '/' }),
    ])`);
      t.is(asked.pop(), 'closed');
      for (const text of asked) t.regex(text, /^403 .*HOST_FORBIDDEN/);
      t.is(
        await page.evaluate(`{ const source = new EventSource('/api/events'); said(source, 'error') }`),
        'error',
      );
      t.true(
        proxy
          .strangers()
          .slice(already)
          .every(({ status }) => status === 403),
      );
      t.deepEqual(await stateOf(world), before);
    },
  );
}

browserTest('the page of the companion itself gets through the same door', async (t, world) => {
  const post = `fetch('/api/sync/cancel', { method: 'POST' }).then((answer) => answer.status)`;
  t.is(await world.dashboard.evaluate(post), 200);
});

browserTest('a page from a file, whose origin is null, reads nothing', async (t, world) => {
  const { browser, dashboard, proxy } = world;
  const before = await stateOf(world);
  const page = await browser.page(dashboard);
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'hostile.html');
  writeFileSync(file, HOSTILE_PAGE);
  await page.open(`file://${file}`);
  await page.until('typeof arrived === "function"');
  const already = proxy.strangers().length;
  const to = JSON.stringify(`http://127.0.0.1:${proxy.port}`);
  t.deepEqual(
    await page.evaluate(`Promise.all([
      read(${to} + '/api/balance'),
      read(${to} + '/api/wallet/lock', { method: 'POST', mode: 'no-cors' }),
      read(${to} + '/api/pair', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }),
      framed({ src: ${to} + '/' }),
    ])`),
    ['refused', 'refused', 'refused', 'closed'],
  );
  const answers = proxy.strangers().slice(already);
  t.true(answers.length >= 4);
  t.true(answers.every(({ status }) => status === 403));
  t.deepEqual(await stateOf(world), before);
});

browserTest(
  'a page from a public address that the person gave leave for this machine gets none from the companion',
  async (t, world) => {
    const { browser, dashboard, proxy, publicSite, attacked } = world;
    const before = await stateOf(world);
    const page = await browser.page(dashboard);
    // One that knows no such leave sends nothing, or sends it unasked.
    const isKnown = await attacked.giveLeave(page, `http://evil.example:${publicSite.port}`);
    await page.open(`http://evil.example:${publicSite.port}/public`);
    await page.until('typeof arrived === "function"');
    const already = proxy.strangers().length;
    const to = JSON.stringify(`http://127.0.0.1:${proxy.port}`);
    t.deepEqual(
      await page.evaluate(`Promise.all([
      read(${to} + '/api/balance'),
      read(${to} + '/api/wallet/lock', { method: 'POST', mode: 'no-cors' }),
      read(${to} + '/api/config/theme', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }),
    ])`),
      ['refused', 'refused', 'refused'],
    );
    const answers = proxy.strangers().slice(already);
    t.true(answers.length >= 3 || !isKnown);
    t.true(answers.every(({ status }) => status === 403));
    t.deepEqual(await stateOf(world), before);
  },
);

browserTest('the attacks reach a companion without a front door', async (t, world) => {
  const { browser, site, openDoor, attacked } = world;
  const page = await browser.page();
  const failed: string[] = [];
  let different = 0;
  const tried = oneIn(3, ATTACKS);
  for (const row of tried) {
    await page.open(`http://evil.example:${site.port}/`);
    await page.until('typeof arrived === "function"');
    const already = world.let.count;
    since = world.proxy.strangers().length + already;
    const saw = await attack(page, row, `http://127.0.0.1:${openDoor.port}`);
    print(`open door: ${row.name}: saw ${saw}, ${world.let.count - already}`);
    const isSent = (attacked.differs?.[row.name]?.sent ?? row.sent) !== false;
    if (world.let.count === already && isSent) failed.push(`${row.name} did not arrive`);
    if (saw !== row.sees) different += 1;
  }
  t.deepEqual(failed, []);
  // The others are those that never tell a page anything, whatever is answered.
  t.true(different > tried.length / 2, `${different} of ${tried.length}`);
});
