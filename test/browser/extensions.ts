// Extensions loaded in a real browser: the example from docs goes through pairing, one that nobody let in reads nothing
// even with the browser's leave for this machine, and a content script is no more than the page it runs in.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { AT_LENGTH } from '@wallet-companion/base/test/atLength';
import test, { type ExecutionContext } from 'ava';
import { untilTestEnds } from '../helpers/childProcess.ts';
import { startDevnetService } from '../helpers/devnetService.ts';
import type { BrowserKind, Page } from '../helpers/page.ts';
import { PROGRAM } from '../helpers/program.ts';
import type { Service } from '../helpers/service.ts';
import { type Run, skipWithout, suite } from '../helpers/suite.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import type { Changes, Unpacked } from './support/extension.ts';
import { startHostileSite } from './support/hostileSite.ts';
import { type RecordingProxy, startRecordingProxy } from './support/recordingProxy.ts';

const PASSWORD = 'correct horse battery';

/** With extensions loaded, and `evil.example` on this machine. */
export interface ExtendedBrowser {
  /** Anew: another extension. */
  unpack(folder: string, companionUrl: string, changes?: Changes): Unpacked;
  start(extensions: readonly Unpacked[]): Promise<{ tab(url: string): Promise<Page>; stop(): Promise<void> }>;
}

export const extensionsSuite = suite<ExtendedBrowser>();
const browserTest = extensionsSuite.add;

export function extending(
  kind: BrowserKind,
  using: (program: string) => ExtendedBrowser,
): Run<ExtendedBrowser> {
  const program = kind.find();
  if (program === undefined) return skipWithout(kind.name);
  return (title, body) => test.serial(title, (t) => body(t, using(program)) as Promise<void>);
}

interface World {
  readonly service: Service;
  readonly proxy: RecordingProxy;
  readonly url: string;
  readonly folder: string;
}

async function start(t: ExecutionContext): Promise<World> {
  const { devnet, service } = await startDevnetService(t, {
    seed: 'extensions',
    config: { auto_lock_seconds: 0 },
  });
  const proxy = await startRecordingProxy(service.url);
  t.teardown(() => proxy.close());
  await service.post('/api/wallet/create', { password: PASSWORD, birthday_height: 1 });
  const { body } = await service.get<{ unified_address: string }>('/api/address');
  devnet.payTo(body.unified_address, { pool: 'sapling', zatoshi: 777_000_000 });
  await service.post('/api/sync', {});
  return { service, proxy, url: `http://127.0.0.1:${proxy.port}`, folder: temporaryFolder(t) };
}

async function browserWith(t: ExecutionContext, browser: ExtendedBrowser, extensions: readonly Unpacked[]) {
  const started = await browser.start(extensions);
  t.teardown(() => started.stop());
  return started;
}

const codeShown = async (popup: Page): Promise<string> => {
  await popup.until(`document.querySelector('#code').textContent.length === 7`);
  return popup.evaluate(`document.querySelector('#code').textContent`);
};

const allowed = async (service: Service): Promise<unknown> =>
  (await service.get('/api/pair')).body['allowed_origins'];

/** The command line with the wallet's password; its exit code. */
async function command(t: ExecutionContext, { service, folder }: World, ...words: string[]): Promise<number> {
  const file = path.join(folder, 'password');
  writeFileSync(file, PASSWORD, { mode: 0o600 });
  const where = ['--config-dir', service.configDir, '--data-dir', service.dataDir, '--password-file', file];
  const child = untilTestEnds(t, spawn(process.execPath, [PROGRAM, ...words, ...where], { stdio: 'ignore' }));
  return (await once(child, 'close'))[0] as number;
}

browserTest(
  'an extension shows its code, is let in on the dashboard, and shut out again',
  async (t, extended) => {
    const world = await start(t);
    const { service, url } = world;
    const extension = extended.unpack(path.join(world.folder, 'example'), url);
    const browser = await browserWith(t, extended, [extension]);
    const popup = await browser.tab(`${extension.origin}/popup.html`);
    await popup.see('it has not let this extension in');
    t.false((await popup.text()).includes('7.77'));
    t.deepEqual((await service.get('/api/pair')).body, { requests: [], allowed_origins: [] });

    await popup.click('Ask to be let in');
    const code = await codeShown(popup);
    const dashboard = await browser.tab(`${url}/#/settings`);
    await dashboard.see(code);
    await dashboard.see('“Companion balance”');
    await dashboard.see(extension.origin);
    await dashboard.evaluate(`document.querySelector('.request input[type=password]').focus()`);
    await dashboard.insert(PASSWORD);
    await dashboard.click('The code is the same: allow');
    await dashboard.see('Let in no longer');
    await popup.see('Balance: 7.77000000 ZEC');
    t.deepEqual(await allowed(service), [extension.origin]);

    // What another program, which does not have the extension's token, would see with the same origin.
    const without = `fetch('${url}/api/balance').then((answer) => answer.status, () => 'refused')`;
    t.is(await popup.evaluate(without), 401);
    const read = `chrome.runtime.sendMessage('balance').then(({ zatoshi, code }) => zatoshi ?? code)`;
    t.is(await popup.evaluate(read), 777_000_000);
    t.is(
      await popup.evaluate(
        `fetch('${url}/api/wallet/lock', { method: 'POST' }).then(({ status }) => status)`,
      ),
      401,
    );
    await dashboard.click('Let in no longer');
    await dashboard.evaluate(`document.querySelector('.origins input[type=password]').focus()`);
    await dashboard.insert(PASSWORD);
    await dashboard.click('Shut it out');
    await dashboard.until(`document.querySelector('.origins li') === null`);
    t.is(await popup.evaluate(read), 'COMPANION_UNREACHABLE');
    t.deepEqual(await allowed(service), []);
    await popup.evaluate('location.reload()');
    await popup.see('it has not let this extension in');
    t.deepEqual((await service.get('/api/pair')).body, { requests: [], allowed_origins: [] });
  },
);

browserTest('an extension is refused, another let in, by the command line', async (t, extended) => {
  const world = await start(t);
  const { service, url } = world;
  const first = extended.unpack(path.join(world.folder, 'first'), url);
  const second = extended.unpack(path.join(world.folder, 'second'), url, { name: 'Second' });
  const browser = await browserWith(t, extended, [first, second]);
  const [one, two] = [
    await browser.tab(`${first.origin}/popup.html`),
    await browser.tab(`${second.origin}/popup.html`),
  ];
  await one.click('Ask to be let in');
  await two.click('Ask to be let in');
  t.is(await command(t, world, 'pair', 'refuse', await codeShown(one)), 0);
  await one.see('The companion has refused this extension.');
  t.is(await command(t, world, 'pair', 'allow', await codeShown(two)), 0);
  await two.see('Balance: 7.77000000 ZEC');
  t.deepEqual(await allowed(service), [second.origin]);
  // Asking again helps the one as little as the other's place on the list.
  await one.evaluate('location.reload()');
  await one.click('Ask to be let in');
  await one.see('The companion has refused this extension.');
  t.is(await command(t, world, 'pair', 'revoke', second.origin), 0);
  await two.evaluate('location.reload()');
  await two.see('it has not let this extension in');
  t.deepEqual((await service.get('/api/pair')).body, { requests: [], allowed_origins: [] });
});

/** What it can try from its own page; each entry what it saw. */
const TRIES = (url: string): string => `Promise.all([
  ...['/api/balance', '/api/notes', '/api/config', '/api/pair', '/healthz', '/', '/api/openapi.json'].flatMap((path) =>
    [{}, { mode: 'no-cors' }, { headers: { 'x-request-id': 'x' } }, { method: 'HEAD' }].map((init) =>
      fetch('${url}' + path, init).then(async (answer) => answer.status + ': ' + await answer.text(), () => 'refused'))),
  ...['/api/wallet/lock', '/api/sync', '/api/pair/allow', '/api/config/theme'].flatMap((path) =>
    [{}, { mode: 'no-cors' }, { body: '{}', headers: { 'content-type': 'application/json' } }].map((init) =>
      fetch('${url}' + path, { method: 'POST', ...init }).then(async (answer) => answer.status + ': ' + await answer.text(), () => 'refused'))),
  new Promise((resolve) => {
    const source = new EventSource('${url}/api/events');
    source.onopen = () => resolve('open');
    source.onerror = () => { source.close(); resolve('refused'); };
  }),
  new Promise((resolve) => {
    const socket = new WebSocket('${url.replace('http', 'ws')}/api/events');
    socket.onopen = () => resolve('open');
    socket.onclose = () => resolve('refused');
  }),
  new Promise((resolve) => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    frame.onload = () => { try { resolve(frame.contentDocument === null ? 'refused' : 'open'); } catch { resolve('refused'); } };
    frame.src = '${url}/';
    // Firefox tells no load of a frame that it does not show.
    const look = setInterval(() => {
      if (frame.contentDocument !== null) return;
      clearInterval(look);
      resolve('refused');
    }, 10);
  }),
])`;

for (const permissions of [['<all_urls>'], ...(AT_LENGTH ? [undefined, ['http://127.0.0.1/*']] : [])]) {
  const title = permissions === undefined ? 'no host permissions' : `host permissions ${permissions.join()}`;
  browserTest(
    `an extension without a grant, with ${title}, reads nothing and changes nothing`,
    async (t, extended) => {
      const { service, proxy, url, folder } = await start(t);
      const more = permissions === undefined ? {} : { host_permissions: permissions };
      const extension = extended.unpack(path.join(folder, 'stranger'), url, more);
      const browser = await browserWith(t, extended, [extension]);
      const page = await browser.tab(`${extension.origin}/popup.html`);
      await page.until(`!document.querySelector('#said').textContent.startsWith('Asking')`);
      const reported = permissions === undefined ? 'let this extension in' : 'host_permissions';
      t.true((await page.text()).includes(reported), await page.text());
      const seen = await page.evaluate<string[]>(TRIES(url));
      const read = seen.filter((text) => !/^refused$|^403: (?:$|\{.*"ORIGIN_FORBIDDEN")/.test(text));
      t.deepEqual(read, []);
      t.true(seen.length > 40);
      const answers = proxy.strangers();
      t.true(answers.length > 30);
      t.deepEqual(
        answers.filter(({ status }) => status !== 403),
        [],
      );
      t.like((await service.get('/api/wallet/status')).body, { unlocked: true });
      t.deepEqual((await service.get('/api/pair')).body, { requests: [], allowed_origins: [] });
    },
  );
}

browserTest(
  'an extension with host permissions learns that it can do without: what it reads names no owner',
  async (t, extended) => {
    const { service, url, folder } = await start(t);
    const extension = extended.unpack(path.join(folder, 'permitted'), url, {
      host_permissions: ['http://127.0.0.1/*'],
    });
    const browser = await browserWith(t, extended, [extension]);
    const page = await browser.tab(`${extension.origin}/popup.html`);
    // It is told what is wrong, as a page would not be.
    await page.see('host_permissions');
    const { code } = await page.evaluate<{ code: string }>(`chrome.runtime.sendMessage('ask')`);
    await service.post('/api/pair/allow', { code, password: PASSWORD });
    t.deepEqual(await allowed(service), [extension.origin]);
    await page.evaluate('location.reload()');
    await page.see('host_permissions');
    t.false((await page.text()).includes('7.77'));
  },
);

browserTest(
  'a content script of an extension that is let in asks as the page it runs in',
  async (t, extended) => {
    const { service, proxy, url, folder } = await start(t);
    const site = await startHostileSite(() => 0);
    t.teardown(() => site.close());
    const extension = extended.unpack(path.join(folder, 'content'), url, {
      content_scripts: [{ matches: ['http://evil.example/*', 'http://localhost/*'], js: ['content.js'] }],
    });
    const script = `Promise.all([
    fetch('${url}/api/balance'),
    fetch('${url}/api/wallet/lock', { method: 'POST' }),
    fetch('${url}/api/pair', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"origin":"${extension.origin}"}' }),
  ].map((asked) => asked.then((answer) => answer.text(), () => 'refused'))).then(async (seen) => {
    seen.push(String(await chrome.runtime.sendMessage('balance').catch(() => undefined)));
    document.documentElement.dataset.seen = seen.join();
  });`;
    writeFileSync(path.join(extension.folder, 'content.js'), script);
    const browser = await browserWith(t, extended, [extension]);
    const popup = await browser.tab(`${extension.origin}/popup.html`);
    await popup.click('Ask to be let in');
    await service.post('/api/pair/allow', { code: await codeShown(popup), password: PASSWORD });
    await popup.see('Balance: 7.77000000 ZEC');
    const already = proxy.strangers().length;
    for (const name of ['evil.example', 'localhost']) {
      const page = await browser.tab(`http://${name}:${site.port}/`);
      await page.until('document.documentElement.dataset.seen');
      t.is(await page.evaluate('document.documentElement.dataset.seen'), 'refused,refused,refused,undefined');
    }
    const answers = proxy.strangers().slice(already);
    const asked = answers.filter(({ headers }) => headers.origin !== extension.origin);
    t.deepEqual(
      asked.map(({ headers, status }) => [headers.origin, status]),
      ['evil.example', 'localhost'].flatMap((name) => Array(3).fill([`http://${name}:${site.port}`, 403])),
    );
    t.like((await service.get('/api/wallet/status')).body, { unlocked: true });
  },
);
