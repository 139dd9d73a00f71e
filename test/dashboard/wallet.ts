// The dashboard as a person uses it: a real Chromium, the running companion, and the devnet's chain.

import type { ExecutionContext } from 'ava';
import { startDevnetService } from '../helpers/devnetService.ts';
import type { Page } from '../helpers/page.ts';
import { type Service, startService } from '../helpers/service.ts';
import { suite } from '../helpers/suite.ts';
import { looksRight } from './support/browserTest.ts';
import { savedBy } from './support/savedFile.ts';

export const walletSuite = suite<Page>();
const browserTest = walletSuite.add;

const PASSWORD = 'correct horse battery';
const HOSTILE = '<img src=x onerror="window.stolen=1"><script>window.stolen=1</script> Rent';

const world = (t: ExecutionContext) => startDevnetService(t, { seed: 'dashboard', hasCompactServer: true });

async function addressOf(service: Service): Promise<string> {
  return (await service.get<{ unified_address: string }>('/api/address')).body.unified_address;
}

const shownWords = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.word')].map((word) => word.textContent)`);

const typedPasswords = async (page: Page): Promise<string[]> =>
  (
    await page.evaluate<string[]>(
      `[...document.querySelectorAll('input[type=password]')].map((e) => e.value)`,
    )
  ).sort();

/** What may hold a secret longer than the page shows it. */
const kept = (page: Page): Promise<string> =>
  page.evaluate(
    `[document.documentElement.outerHTML, location.href, JSON.stringify(history.state), JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie, ...[...document.querySelectorAll('input, textarea')].map((e) => e.value)].join('\\n')`,
  );

browserTest(
  'a person makes a wallet, is asked for words of its phrase, and finds what was paid',
  async (t, page) => {
    const { devnet, service } = await world(t);
    await page.open(service.url);
    await page.see('There is no wallet here yet');
    await looksRight(t, page, 'welcome');

    await page.click('Create a new wallet');
    await page.type('Password', PASSWORD);
    await page.type('Password again', 'something else');
    await page.click('Create wallet');
    await page.see('The two passwords are not the same.');
    t.deepEqual(await typedPasswords(page), ['', '']);
    await looksRight(t, page, 'create');
    await page.type('Password', PASSWORD);
    await page.type('Password again', PASSWORD);
    await page.click('Create wallet');
    await page.see('Your recovery phrase');
    const words = await shownWords(page);
    t.is(words.length, 24);
    t.false((await kept(page)).includes(PASSWORD));
    await looksRight(t, page, 'phrase');

    await page.click('I have written it down');
    await page.see('Check what you wrote');
    for (const gone of [words.join(' '), words.slice(0, 4).join(' ')])
      t.false((await kept(page)).includes(gone));
    t.deepEqual(await shownWords(page), []);
    await looksRight(t, page, 'check');
    const asked = await page.evaluate<string[]>(
      `[...document.querySelectorAll('label')].map((label) => label.innerText).filter((text) => text.startsWith('Word'))`,
    );
    t.is(asked.length, 3);
    const wordOf = (label: string): string => words[Number(/\d+/.exec(label)?.[0]) - 1] ?? '';
    for (const label of asked) await page.type(label, 'wrong');
    await page.type('Password', PASSWORD);
    await page.click('Check');
    await page.see('is a different one');
    // Capitals and spaces are forgiven.
    for (const label of asked) await page.type(label, ` ${wordOf(label).toUpperCase()} `);
    await page.type('Password', PASSWORD);
    await page.click('Check');

    await page.see('Nothing has been scanned yet. Scan to find out.');
    t.notRegex(await page.text(), /recovery phrase written down/);
    t.like(await service.get('/api/wallet/status'), { body: { phrase_confirmed: true } });
    t.is(await page.evaluate(`document.querySelector('.total').textContent`), 'Unknown');
    t.notRegex(await page.text(), /0\.00/);
    await looksRight(t, page, 'unknown balance');

    const address = await addressOf(service);
    devnet.payTo(address, { pool: 'sapling', zatoshi: 150_000_000, memo: 'for the bread' });
    devnet.mineEmpty(4);
    devnet.payTo(address, { pool: 'ironwood', zatoshi: 123_456_789_012, memo: HOSTILE });
    await page.click('Scan now');
    await page.see('1,236.06789012');
    await page.see("Every block since the wallet's birthday has been scanned.");
    await page.until(`document.querySelectorAll('.transactions details').length === 2`);
    await page.see('1 of 10 confirmations');
    await page.see('1,236.06789012\u00a0ZEC of it still waits for confirmations.');
    t.true(await page.evaluate(`document.querySelector('.chart canvas').height > 100`));
    const legend = () => page.evaluate<string>(`document.querySelector('.u-legend').innerText`);
    const drawn = () => page.evaluate<string>(`document.querySelector('.chart canvas').toDataURL()`);
    const whole = await drawn();
    await page.evaluate(`document.querySelector('.plot').focus()`);
    await page.press('ArrowLeft');
    await page.until(`document.querySelector('.u-legend').innerText.includes('block 6')`);
    t.true((await legend()).includes('1,236.06789012'));
    await page.press('ArrowLeft');
    await page.until(`document.querySelector('.u-legend').innerText.includes('block 1')`);
    t.true((await legend()).includes('1.50'));
    await page.click('Zoom in');
    t.not(await drawn(), whole);
    await page.press('End');
    await page.until(`document.querySelector('.u-legend').innerText.includes('1,236.06789012')`);
    await page.click('Show all');
    t.is(await drawn(), whole);
    await page.evaluate(`document.querySelector('.plot').scrollIntoView({ block: 'center' })`);
    const [x, y] = await page.evaluate<number[]>(
      `(({ left, top }) => [left + 9, top + 50])(document.querySelector('.u-over').getBoundingClientRect())`,
    );
    await page.pointAt(x!, y!);
    await page.until(`/block [16]/.test(document.querySelector('.u-legend').innerText)`);
    await looksRight(t, page, 'overview');

    await page.click('Activity');
    await page.see('Only unspent');
    await page.evaluate(
      `document.querySelectorAll('.transactions details').forEach((line) => { line.open = true; })`,
    );
    t.true((await page.text()).includes(HOSTILE));
    await looksRight(t, page, 'activity');
    await page.type('Search', 'BREAD');
    await page.see('1 of 2 transactions');
    t.true((await page.text()).includes('for the bread'));
    await page.type('Search', 'nothing like it');
    await page.see('0 of 2 transactions');

    await page.click('Receive');
    await page.see(address);
    await looksRight(t, page, 'receive');
    await page.click('New address');
    await page.until(
      `![...document.querySelectorAll('.address code')].some((code) => code.textContent === ${JSON.stringify(address)})`,
    );

    await page.click('Scan');
    await page.see('What has been looked at');
    await page.click('Ask the server');
    await page.see('Blocks kept here');
    await looksRight(t, page, 'scan');

    await page.click('Settings');
    await page.see('No backup of everything is known here.');
    await page.see('Locks itself');
    await looksRight(t, page, 'settings');
    await page.click('Dark');
    await page.until(`document.documentElement.dataset.theme === 'dark'`);
    t.like(await service.get('/api/config'), { body: { theme: 'dark' } });

    t.is(await page.evaluate('window.stolen'), undefined);
    t.deepEqual(page.complaints, []);
    t.deepEqual(
      page.requested.filter((url) => !url.startsWith(`${service.url}/`)),
      [],
    );
    // One word alone may be that of a page: "scan" and "address" are on the list.
    const phrase = words.slice(0, 3).join('[^a-z]+');
    t.deepEqual(
      page.requested.filter((url) => new RegExp(`${phrase}|password`, 'i').test(url)),
      [],
    );
  },
);

browserTest('a lock anywhere takes everything of the wallet out of the page at once', async (t, page) => {
  const { devnet, service } = await world(t);
  await service.post('/api/wallet/create', { password: PASSWORD, birthday_height: 1 });
  const address = await addressOf(service);
  devnet.payTo(address, { pool: 'sapling', zatoshi: 777_000_000, memo: 'between us' });
  await service.post('/api/sync', {});
  await page.open(`${service.url}/#/activity`);
  await page.see('between us');
  await service.post('/api/wallet/lock');
  await page.see('Unlock your wallet');
  const left = await kept(page);
  for (const gone of ['between us', '7.77', address, 'ZEC']) t.false(left.includes(gone), gone);
  await looksRight(t, page, 'locked');

  await page.type('Password', 'wrong');
  await page.press('Enter');
  await page.see('The password is wrong.');
  t.false((await kept(page)).includes('wrong"'));
  t.is(await page.evaluate(`document.querySelector('input').value`), '');
  await page.type('Password', PASSWORD);
  await page.press('Enter');
  await page.see('between us');
  t.false((await kept(page)).includes(PASSWORD));

  // The companion ends: what it said is taken back, and the page finds the next one by itself.
  const { port } = new URL(service.url);
  await service.stop();
  await page.see('The companion does not answer');
  t.false((await kept(page)).includes('between us'));
  await looksRight(t, page, 'lost');
  const next = await startService(t, {
    folder: (service as Service & { folder: string }).folder,
    args: ['--port', port],
  });
  t.teardown(() => next.stop());
  await page.see('Unlock your wallet');
});

browserTest(
  'while a new address is read, its label can be typed and the code of the old one is gone',
  async (t, page) => {
    const { service } = await world(t);
    await service.post('/api/wallet/create', { password: PASSWORD, birthday_height: 1 });
    const address = await addressOf(service);
    await page.open(`${service.url}/#/receive`);
    await page.see('No address has a label yet.');
    await page.until(`document.querySelector('.qr path')`);
    await page.evaluate(`{
    const { fetch } = window;
    const released = new Promise((resolve) => { window.release = resolve; });
    window.fetch = async (url, init) => {
      const answer = await fetch(url, init);
      if (/labels|payment-uri/.test(url)) { window.isHeld = true; await released; }
      return answer;
    };
  }`);
    await page.click('New address');
    await page.until('window.isHeld');
    await page.until(`document.querySelector('.qr') === null`);
    await page.type('Label', 'The bakery');
    await page.evaluate('release()');
    await page.until(`document.querySelector('.qr path')`);
    // The button is free again when all of it has been read.
    await page.until(`document.querySelector('[aria-disabled="true"]') === null`);
    await page.click('Save the label');
    await page.see('Saved.');
    const fresh = await page.evaluate<string>(`document.querySelector('.address code').textContent`);
    t.not(fresh, address);
    t.like(await service.get('/api/labels'), { body: { labels: [{ address: fresh, label: 'The bakery' }] } });
  },
);

browserTest('what happens elsewhere is shown without being asked for', async (t, page) => {
  const { devnet, service } = await world(t);
  await service.post('/api/wallet/create', { password: PASSWORD, birthday_height: 1 });
  const address = await addressOf(service);
  await page.open(service.url);
  await page.see('Nothing has been scanned yet.');
  devnet.payTo(address, { pool: 'sapling', zatoshi: 300_000_000 });
  await service.post('/api/sync', {});
  await page.see('3.00');
  devnet.reorganise(1);
  devnet.mineEmpty(1);
  await service.post('/api/sync', {});
  await page.see('No transactions have been found yet.');
  t.true((await page.text()).includes('0.00'));
});

browserTest(
  'a wallet is restored from its phrase, and shown its phrase and key for the password alone',
  async (t, page) => {
    const { service } = await world(t);
    const phrase = `${'abandon '.repeat(23)}art`;
    await page.open(service.url);
    await page.click('Restore a wallet');
    await page.type('Recovery phrase', phrase.replace('art', 'arm'));
    await page.type('Birthday', 'soon');
    await page.type('New password', PASSWORD);
    await page.type('New password again', PASSWORD);
    await page.click('Restore wallet');
    await page.see('The birthday is a month such as 2021-06');
    await page.type('Birthday', '1');
    await page.type('New password', PASSWORD);
    await page.type('New password again', PASSWORD);
    await page.click('Restore wallet');
    await page.until(`/word/.test(document.querySelector('.problem:not([hidden])')?.innerText)`);
    await looksRight(t, page, 'restore');
    // It was the phrase that was wrong.
    t.is(await page.evaluate(`document.activeElement.labels[0].innerText`), 'Recovery phrase');
    t.deepEqual(await typedPasswords(page), ['', PASSWORD, PASSWORD]);
    t.false((await page.evaluate<string>('document.documentElement.outerHTML')).includes(PASSWORD));
    await page.type('Recovery phrase', `  ${phrase.toUpperCase()} `);
    await page.click('Restore wallet');
    await page.see('Nothing has been scanned yet.');
    t.false((await kept(page)).toLowerCase().includes('abandon'));

    await page.open(`${service.url}/#/settings`);
    await page.see('Recovery phrase');
    const ask = async (button: string, password: string): Promise<void> => {
      await page.evaluate(
        `[...document.querySelectorAll('button')].find((b) => b.innerText === ${JSON.stringify(button)}).closest('form').querySelector('input').focus()`,
      );
      await page.insert(password);
      await page.click(button);
    };
    await ask('Show the phrase', 'wrong');
    await page.see('The password is wrong.');
    await ask('Show the phrase', PASSWORD);
    await page.until(`document.querySelectorAll('.word').length === 24`);
    t.deepEqual(await shownWords(page), phrase.split(' '));
    await page.click('Hide');
    t.false((await kept(page)).includes('abandon'));
    await ask('Show the viewing key', PASSWORD);
    await page.see('uviewregtest');
    await looksRight(t, page, 'viewing key');
    await page.type('Current password', 'not it');
    await page.type('New password', PASSWORD);
    await page.type('New password again', PASSWORD);
    await page.click('Change password');
    await page.until(`/password is wrong/.test(document.querySelector('.problem:not([hidden])')?.innerText)`);
    const kinds = `[...document.querySelectorAll('input[type=password]')].filter((e) => e.value !== '').map((e) => e.autocomplete)`;
    t.deepEqual(await page.evaluate(kinds), ['new-password', 'new-password']);
    await page.click('Overview');
    t.false((await kept(page)).includes('uviewregtest'));
  },
);

browserTest(
  'an address gets a label and a request with its QR code, and what it was paid is a file',
  async (t, page) => {
    const { devnet, service } = await world(t);
    await service.post('/api/wallet/create', { password: PASSWORD, birthday_height: 1 });
    await page.open(`${service.url}/#/receive`);
    await page.until(`document.querySelector('.qr path')?.getAttribute('d').length > 100`);
    await page.click('New address');
    const address = await addressOf(service);
    const shown = `document.querySelector('.address code').textContent`;
    await page.until(`${shown} !== ${JSON.stringify(address)}`);
    const fresh = await page.evaluate<string>(shown);
    await page.type('Label', '  The bakery ');
    await page.click('Save the label');
    await page.see('Saved.');
    t.like(await service.get('/api/labels'), { body: { labels: [{ address: fresh, label: 'The bakery' }] } });

    await page.type('Amount', 'a lot');
    await page.click('Make the request');
    await page.see('This is not an amount. Write it like 1.25.');
    await page.type('Amount', '0.5');
    await page.type('Memo', 'Invoice 12');
    await page.click('Make the request');
    await page.see('zcash:');
    const uri = await page.evaluate<string>(
      `[...document.querySelectorAll('.address code')].find((code) => code.textContent.startsWith('zcash:')).textContent`,
    );
    const asked = await service.post('/api/payment-uri/parse', { uri });
    t.like(asked, {
      body: { payments: [{ address: fresh, zatoshi: 50_000_000, memo: { text: 'Invoice 12' } }] },
    });

    devnet.payTo(fresh, { pool: 'sapling', zatoshi: 50_000_000, memo: 'Invoice 12' });
    await service.post('/api/sync', {});
    await page.click('Activity');
    await page.see('The bakery');
    await page.type('Search', 'bakery');
    await page.see('1 of 1 transaction');
    const file = await savedBy(page, 'Download as CSV');
    t.regex(file, /0\.5/);
    t.true(file.includes('Invoice 12'));
    t.deepEqual(page.complaints, []);
  },
);

browserTest(
  "a scan is the companion's own: it ends without the page, and new blocks are followed",
  async (t, page) => {
    const { devnet, service } = await world(t);
    await service.post('/api/wallet/create', { password: PASSWORD, birthday_height: 1 });
    const address = await addressOf(service);
    devnet.payTo(address, { pool: 'sapling', zatoshi: 200_000_000 });
    devnet.mineEmpty(2_500);
    const scanned = async (height: number) => {
      for (let at = 0; at < height; )
        at = (await service.get<{ last_scan_height: number }>('/api/sync/status')).body.last_scan_height;
    };
    await page.open(`${service.url}/#/scan`);
    await page.see('Newest block unknown');
    await page.see('with this page closed too, until you stop it');
    await page.click('Scan now');
    await page.see('The companion goes on by itself');
    await page.open('about:blank');
    await scanned(devnet.tip.height);
    t.like(await service.get('/api/follow'), { body: { enabled: true, source: 'node' } });

    await page.open(service.url);
    await page.see('2.00');
    await page.see('until the wallet locks itself: after 15 minutes without use');
    await page.click('Details');
    await page.click('Keep the wallet unlocked meanwhile');
    await looksRight(t, page, 'following');
    await page.type('Password', PASSWORD);
    await page.click('Keep it unlocked');
    await page.until(`!/until the wallet locks itself/.test(document.body.innerText)`);
    t.like(await service.get('/api/follow'), { body: { keep_open: true } });
    await page.click('Stop following');
    await page.see('Scan now');
    t.like(await service.get('/api/follow'), { body: { enabled: false, keep_open: false } });
  },
);
