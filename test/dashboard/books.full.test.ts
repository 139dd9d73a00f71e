// The first week and the year on the page, by keyboard: the phrase that was not written down, contacts, and the statement.

import { examples } from '../../scripts/generate/examples.ts';
import { ok } from '../../src/protocol/result.ts';
import { CHROMIUM } from '../helpers/chromium.ts';
import { startDevnetService } from '../helpers/devnetService.ts';
import { activate, looksRight, testsIn } from './support/browserTest.ts';
import { madeUpFront } from './support/madeUpFront.ts';
import { savedBy } from './support/savedFile.ts';

const browserTest = testsIn(CHROMIUM);
const idle = { exists: false, unlocked: false } as const;
const PASSWORD = 'correct horse battery';

browserTest(
  'a phrase not written down is reminded of until three of its words came back',
  async (t, page) => {
    const { service } = await startDevnetService(t, { seed: 'books', hasCompactServer: true });
    const made = await service.post<{ mnemonic: string }>('/api/wallet/create', {
      password: PASSWORD,
      birthday_height: 1,
    });
    const words = made.body.mnemonic.split(' ');
    await page.open(service.url);
    await page.see('Is your recovery phrase written down?');
    await activate(page, 'I have it on paper');
    await page.type('Password', PASSWORD);
    await page.press('Enter');
    await page.until(`document.querySelectorAll('input[name^=word]').length === 3`);
    await looksRight(t, page, 'phrase reminder');
    const names = await page.evaluate<string[]>(
      `[...document.querySelectorAll('input[name^=word]')].map((e) => e.name)`,
    );
    const numbers = names.map((name) => Number(name.slice('word'.length)));
    for (const number of numbers) await page.type(`Word ${number}`, words[number % words.length]!);
    await page.type('Password', PASSWORD);
    await page.press('Enter');
    await page.until(`document.querySelector('form .problem')`);
    t.like(await service.get('/api/wallet/status'), { body: { phrase_confirmed: false } });
    for (const number of numbers) await page.type(`Word ${number}`, words[number - 1]!);
    await page.type('Password', PASSWORD);
    await page.press('Enter');
    await page.until(`!document.body.innerText.includes('Is your recovery phrase written down?')`);
    t.like(await service.get('/api/wallet/status'), { body: { phrase_confirmed: true } });
    await activate(page, 'Lock');
    await page.type('Password', PASSWORD);
    await page.press('Enter');
    await page.see('Balance');
    t.is(await page.evaluate('document.activeElement.id'), 'main');
  },
);

browserTest('a contact is made, renamed and removed on the page', async (t, page) => {
  const { service } = await startDevnetService(t, { seed: 'books', hasCompactServer: true });
  await service.post('/api/wallet/create', { password: PASSWORD, birthday_height: 1 });
  const address = 'tmEZhbWHTpdKMw5it8YDspUXSMGQyFwovpU';
  const known = async () => (await service.get<{ contacts: object[] }>('/api/contacts')).body.contacts;
  await page.open(`${service.url}/#/pay`);
  await activate(page, 'Add a contact');
  await page.type('Name', 'Bakery');
  await page.type('Address', 'nowhere');
  await page.press('Enter');
  await page.until(`document.querySelector('[aria-invalid=true]')?.name === 'address'`);
  await page.type('Address', address);
  await page.type('Note', 'bread');
  await page.press('Enter');
  await page.see('Bakery');
  t.deepEqual(await known(), [{ name: 'Bakery', address, note: 'bread' }]);
  t.is(await page.evaluate(`document.querySelector('datalist option').value`), 'Bakery');
  await activate(page, 'Change');
  await page.type('Name', 'The bakery');
  await looksRight(t, page, 'contacts');
  await page.press('Enter');
  await page.until(`document.body.innerText.includes('The bakery')`);
  t.deepEqual(await known(), [{ name: 'The bakery', address, note: 'bread' }]);
  await activate(page, 'Remove');
  await page.see('No contact yet.');
  t.deepEqual(await known(), []);
  t.deepEqual(
    page.complaints.filter((text) => !/400/.test(text)),
    [],
  );
});

browserTest(
  'the statement of a year is drawn in local time, printed without the page, and saved',
  async (t, page) => {
    const { devnet, service } = await startDevnetService(t, { seed: 'books', hasCompactServer: true });
    await service.post('/api/wallet/create', { password: PASSWORD, birthday_height: 1 });
    const { unified_address: address, diversifier_index } = (
      await service.get<{ unified_address: string; diversifier_index: string }>('/api/address')
    ).body;
    await service.post('/api/labels', { diversifier_index, label: 'Shop' });
    devnet.payTo(address, { pool: 'sapling', zatoshi: 150_000_000, memo: 'order 7' });
    devnet.mineEmpty(4);
    await service.post('/api/sync', {});
    const { transactions } = (await service.get<{ transactions: { time: string }[] }>('/api/transactions'))
      .body;
    const at = new Date(transactions[0]!.time);
    await page.open(`${service.url}/#/activity`);
    await activate(page, 'Statement of a year or month');
    await page.see('Show the statement');
    await page.choose('Year', '');
    await page.type('Time zone', 'Nowhere/Zone');
    await page.press('Enter');
    await page.until(`document.querySelector('[aria-invalid=true]')?.name === 'time_zone'`);
    await page.type('Time zone', 'Asia/Tokyo');
    await page.press('Enter');
    await page.see('time of Asia/Tokyo');
    const local = new Intl.DateTimeFormat('en-US', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'Asia/Tokyo',
    });
    const cells = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.rows tbody td')].map((cell) => cell.innerText.replaceAll('\\u00a0', ' '))`,
    );
    t.is(cells[0]?.replaceAll('\u202f', ' '), local.format(at).replaceAll('\u202f', ' '));
    t.deepEqual(cells.slice(1), ['Shop · order 7', '1.50 ZEC', '', '1.50 ZEC']);
    await looksRight(t, page, 'statement');
    t.regex(await savedBy(page, 'Download the list as CSV'), /order 7/);
    t.is(await page.evaluate(`window.printed = 0, window.print = () => { printed++; }, 0`), 0);
    await activate(page, 'Print, or save as PDF');
    t.is(await page.evaluate('printed'), 1);
    t.true(
      await page.evaluate(
        `[...document.styleSheets].some((sheet) => [...sheet.cssRules].some((rule) => rule.media?.mediaText === 'print' && rule.cssText.includes('.no-print')))`,
      ),
    );
    await page.choose('Label', 'Shop');
    await page.choose('Year', String(at.getFullYear()));
    await page.choose('Month', String(at.getMonth() + 1));
    await activate(page, 'Show the statement');
    await page.see('The list has only what was received as “Shop”.');
  },
);

browserTest(
  'Welcome asks where blocks come from, and takes a public server only when it is chosen',
  async (t, page) => {
    const { link, url } = await madeUpFront(t);
    const [server] = examples['lwd.servers'].output.servers;
    link.answerWith('wallet.status', () => ok({ ...examples['wallet.status'].output, ...idle }));
    link.answerWith('config.compact_server_url', ({ url: compact_server_url }) =>
      ok({ ...examples['config.get'].output, compact_server_url, block_source: 'auto' }),
    );
    link.answerWith('config.block_source', ({ source: block_source }) =>
      ok({ ...examples['config.get'].output, compact_server_url: server!.compact_server_url, block_source }),
    );
    await page.open(url);
    await page.see('Where blocks come from');
    t.false(link.calls.some(({ name }) => name === 'lwd.servers'));
    await page.click('A public server');
    await page.see(server!.operator);
    await looksRight(t, page, 'welcome, public servers');
    t.false(link.calls.some(({ name }) => name.startsWith('config.') && name !== 'config.get'));
    await activate(page, 'Use this one');
    await page.see(`Blocks come from ${server!.compact_server_url}.`);
    const calls = link.calls.filter(({ name }) => /^config\.(?:compact|block)/.test(name));
    t.deepEqual(
      calls.map(({ input }) => input),
      [{ url: server!.compact_server_url }, { source: 'compact' }],
    );
  },
);

browserTest(
  'Welcome offers peers with what they have to send, in three languages, and takes them only when they are chosen',
  async (t, page) => {
    const { link, url } = await madeUpFront(t);
    const config = examples['config.get'].output;
    link.answerWith('config.get', () => ok({ ...config, block_source: 'auto', theme: 'system' }));
    link.answerWith('wallet.status', () => ok({ ...examples['wallet.status'].output, ...idle }));
    link.answerWith('config.block_source', ({ source: block_source }) =>
      ok({ ...config, block_source, theme: 'system' }),
    );
    link.answerWith('sync.estimate', () =>
      ok({
        ...examples['sync.estimate'].output,
        ...{ source: 'peers', read_from_height: 3_444_781, megabytes: 6_012.3, seconds: 18.2 },
      }),
    );
    const asked = () => link.calls.filter(({ name }) => /^(?:sync\.estimate|config\.block)/.test(name));
    for (const [language, choice, cost] of [
      ['de', 'Peers des Netzes: ohne Server, ohne Knoten', 'ab Block 3.444.781: etwa 6.013 MB'],
      ['es', 'Pares de la red: sin servidor y sin nodo', 'desde el bloque 3.444.781: unos 6013 MB'],
      [
        'en',
        'Peers of the network: no server, no node',
        'from block 3,444,781 on come first: about 6,013 MB',
      ],
    ] as const) {
      await page.speak(language);
      await page.open(url);
      const before = asked().length;
      await page.click(choice);
      await page.see(cost);
      t.deepEqual(
        asked()
          .slice(before)
          .map(({ input }) => input),
        [{ source: 'peers' }],
      );
      await looksRight(t, page, `welcome, peers, ${language}`);
    }
    t.false(link.calls.some(({ name }) => name === 'config.block_source'));
    await activate(page, 'Take blocks from peers');
    await page.see('Blocks come from peers of the network.');
    t.deepEqual(asked().at(-1), {
      ...asked().at(-1)!,
      name: 'config.block_source',
      input: { source: 'peers' },
    });
  },
);

browserTest(
  'money is announced while the person looks elsewhere, with consent and without an amount',
  async (t, page) => {
    const { link, url } = await madeUpFront(t);
    await page.runFirst(`
    window.told = [];
    window.Notification = class { static permission = 'default'; static async requestPermission() { return (this.permission = 'granted'); } constructor(title, { body }) { told.push(body); } };
  `);
    await page.open(`${url}/#/settings`);
    await page.see('Notice of money');
    const note = examples['notes.list'].output.notes[0]!;
    const hide = (isHidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} }), 0`,
      );
    await hide(true);
    link.emit({ event: 'note.received', data: note });
    await hide(false);
    await activate(page, 'Allow notifications');
    await page.see('The browser tells you when money comes');
    link.emit({ event: 'note.received', data: note });
    await page.until(`true`);
    t.deepEqual(await page.evaluate('told'), []);
    await hide(true);
    link.emit({ event: 'note.received', data: note });
    await page.until('told.length === 1');
    t.deepEqual(await page.evaluate('told'), ['Money has arrived in your wallet.']);
  },
);
