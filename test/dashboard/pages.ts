import { examples } from '../../scripts/generate/examples.ts';
import type { Output } from '../../src/protocol/operations.ts';
import { ok } from '../../src/protocol/result.ts';
import type { HttpFront } from '../helpers/httpFront.ts';
import type { Page } from '../helpers/page.ts';
import { suite } from '../helpers/suite.ts';
import { looksRight } from './support/browserTest.ts';
import { madeUpFront, unlocked } from './support/madeUpFront.ts';

export const pagesSuite = suite<Page>();
const browserTest = pagesSuite.add;

const HOSTILE = '"><img src=x onerror=window.stolen=1><script>window.stolen=1</script>{{7*7}}\u202egnp.exe';

const calls = ({ link }: HttpFront, name: string): number =>
  link.calls.filter((call) => call.name === name).length;

/** Every text of an answer exchanged for a hostile one, but for those that programs read. */
function poisoned<T>(value: T, key = ''): T {
  if (typeof value === 'string') {
    const isRead = [
      'pool',
      'scope',
      'time',
      'theme',
      'network',
      'source',
      'block_source',
      'code',
      'kind',
      'next_cursor',
      'diversifier_index',
      'image',
    ].includes(key);
    return (isRead || /_at$/.test(key) ? value : HOSTILE) as T;
  }
  if (Array.isArray(value)) return value.map((item) => poisoned(item, key)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, poisoned(item, name)])) as T;
}

browserTest('whatever the companion, a server or a sender says stays text', async (t, page) => {
  const front = await madeUpFront(t);
  const { link } = front;
  const names = [
    ...([
      'balance.get',
      'transactions.list',
      'notes.list',
      'coverage.get',
      'address.get',
      'labels.list',
    ] as const),
    ...(['lwd.info', 'sync.status', 'system.version', 'config.get', 'pairing.list'] as const),
  ];
  for (const name of names) {
    const output = {
      ...examples[name].output,
      ...('next_cursor' in examples[name].output ? { next_cursor: null } : {}),
    };
    link.answerWith(name, () => ok(poisoned(output as Output<typeof name>)) as never);
  }
  link.failWith('pairing.refuse', { code: 'NOT_FOUND', detail: HOSTILE });
  await page.open(front.url);
  await page.see('Latest transactions');
  for (const [link, seen] of [
    ['Activity', 'Only unspent'],
    ['Receive', 'Your address'],
    ['Scan', 'Compact server'],
    ['Settings', 'asks to be let in'],
  ] as const) {
    await page.click(link);
    await page.see(seen);
    if (link === 'Scan') {
      await page.click('Ask the server');
      await page.see('Blocks kept here');
    }
    if (link === 'Settings') await page.click('Refuse');
    await page.evaluate(`document.querySelectorAll('details').forEach((part) => { part.open = true; })`);
    await page.see('window.stolen=1');
    t.is(await page.evaluate(`document.body.querySelectorAll('img, script, iframe, style').length`), 0, link);
    t.is(await page.evaluate('window.stolen'), undefined, link);
    t.is(await page.evaluate(String.raw`document.body.textContent.match(/[\u202a-\u202e]/)`), null, link);
    t.true(await page.evaluate(String.raw`document.body.textContent.includes('\\u{202e}gnp.exe')`), link);
    await looksRight(t, page, `${link}, hostile`);
  }
  const refused = page.complaints.filter((text) => !text.includes('404'));
  t.deepEqual(refused, []);
  t.deepEqual(
    page.requested.filter((url) => !url.startsWith(`${front.url}/`)),
    [],
  );
});

browserTest('an answer that was on its way when the wallet was locked is not shown', async (t, page) => {
  const front = await madeUpFront(t);
  const { link } = front;
  let answer: (() => void) | undefined;
  link.answerWith('balance.get', async () => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return ok(examples['balance.get'].output);
  });
  await page.open(front.url);
  await page.see('Reading…');
  unlocked(front, false);
  link.emit({ event: 'wallet.locked', data: { reason: 'idle' } });
  await page.see('It locked itself because nobody used it for a while.');
  // The next session begins with nothing of the one before.
  const late = answer;
  link.answerWith('wallet.unlock', () => {
    unlocked(front, true);
    return ok(examples['wallet.unlock'].output);
  });
  late?.();
  await page.type('Password', 'x');
  await page.click('Unlock');
  while (answer === late) await page.see('Reading…');
  t.notRegex(await page.text(), /0\.00/);
  answer?.();
  await page.see('0.00000015');
});

browserTest('what cannot be drawn says so, and leaves the other pages as they are', async (t, page) => {
  const front = await madeUpFront(t);
  const { transactions } = examples['transactions.list'].output;
  const odd = transactions.map((one) => ({ ...one, time: 'yesterday' }));
  front.link.answerWith('transactions.list', () => ok({ transactions: odd, next_cursor: null }));
  await page.open(`${front.url}/#/activity`);
  await page.see('This cannot be shown: the companion said something that the page does not understand.');
  await looksRight(t, page, 'not drawn');
  await page.click('Receive');
  await page.see('Your address');
  t.false((await page.text()).includes('This cannot be shown'));
});

browserTest('the first page shows each pool that the balance has, the newest first', async (t, page) => {
  const front = await madeUpFront(t);
  const balance = examples['balance.get'].output;
  const fourth = { total_zatoshi: 400_000_000, confirmed_zatoshi: 0, note_count: 1 };
  const pools = { ...balance.pools, fourth };
  front.link.answerWith('balance.get', () => ok({ ...balance, pools }));
  await page.open(front.url);
  await page.see('0.00000015');
  await page.see('of it can be spent now.');
  const shown = `[...document.querySelectorAll('table.pools tbody th')].map((one) => one.textContent)`;
  t.deepEqual(await page.evaluate(shown), Object.keys(pools).toReversed());
});

const note = examples['notes.list'].output.notes[0]!;

browserTest('an idle page stops asking, so that the wallet can lock itself', async (t, page) => {
  const front = await madeUpFront(t);
  const { link } = front;
  link.answerWith('config.get', () => ok({ ...examples['config.get'].output, auto_lock_seconds: 900 }));
  await page.open(front.url);
  await page.see('0.00000015');
  link.answerWith('balance.get', () => ok({ ...examples['balance.get'].output, total_zatoshi: 500_000_000 }));
  const before = calls(front, 'balance.get');
  // Five minutes and a bit, in a moment.
  await page.evaluate(`{ const now = Date.now.bind(Date); Date.now = () => now() + 301_000; }`);
  link.emit({ event: 'note.received', data: note });
  await page.see('There is news.');
  t.is(calls(front, 'balance.get'), before);
  t.true((await page.text()).includes('0.00000015'));
  await page.press('Shift');
  await page.see('5.00');
  t.false((await page.text()).includes('There is news.'));
});

browserTest(
  'rules of the network that this version does not know are reported on the first page',
  async (t, page) => {
    const front = await madeUpFront(t);
    const status = examples['system.status'].output;
    const announced = {
      ...status.compact_server,
      unknown_upgrade_height: 4_000_000,
      support_warning: 'That node stops.',
    };
    const soon = () =>
      front.link.emit({
        event: 'server.changed',
        data: { server: 'compact_server', state: 'up', code: null },
      });
    await page.open(front.url);
    await page.see('0.00000015');
    t.notRegex(await page.text(), /Update the companion/);
    front.link.answerWith('system.status', () => ok({ ...status, compact_server: announced }));
    soon();
    await page.see(
      'At block 4,000,000 the network gets rules that this version does not know. Update the companion before',
    );
    await page.see('That node stops.');
    await looksRight(t, page, 'unknown upgrade');
    front.link.answerWith('system.status', () => ok(status));
    soon();
    await page.until(`!document.body.innerText.includes('Update the companion')`);
  },
);

browserTest('numbers and dates are written as the reader is used to', async (t, page) => {
  const front = await madeUpFront(t);
  front.link.answerWith('balance.get', () =>
    ok({
      ...examples['balance.get'].output,
      total_zatoshi: 123_456_789_012,
      complete: true,
      missing_ranges: [],
    }),
  );
  await page.speak('de-DE');
  await page.open(front.url);
  await page.see('1.234,56789012');
  await page.see('1.000.049');
  t.false((await page.text()).includes('1,234.56789012'));
});

const focused = (page: Page): Promise<string> =>
  page.evaluate(`document.activeElement.innerText || document.activeElement.labels?.[0]?.innerText || ''`);

browserTest('everything is reached by keyboard, and what is reached is seen', async (t, page) => {
  const front = await madeUpFront(t);
  await page.open(`${front.url}/#/settings`);
  await page.see('Locks itself');
  const reached: string[] = [];
  const tab = () => page.press('Tab');
  const isBody = () => page.evaluate<boolean>('document.activeElement === document.body');
  // From the first to the last, and round again: by the body, or straight to the first.
  for (await tab(); !(await isBody()); await tab()) {
    const name = (await focused(page)).trim();
    if (name === reached[0]) break;
    reached.push(name);
    const outline = await page.evaluate<string>(`getComputedStyle(document.activeElement).outlineStyle`);
    t.not(outline, 'none', name);
  }
  for (const name of [
    'Skip to the page',
    'Lock',
    'Overview',
    'Scan',
    'Current password',
    'Change password',
    'Show the phrase',
  ]) {
    t.true(reached.includes(name), `${name} in ${reached.join(', ')}`);
  }
  // A link by its key, and what it leads to has the focus.
  await page.evaluate(
    `[...document.querySelectorAll('nav a')].find((link) => link.innerText === 'Receive').focus()`,
  );
  await page.press('Enter');
  await page.see('Your address');
  t.is(await page.evaluate(`document.activeElement.id`), 'main');
  t.is(await page.evaluate(`document.title`), 'Receive · Wallet Companion');
});

browserTest(
  'an extension that asks is shown with its code, and let in with the password',
  async (t, page) => {
    const front = await madeUpFront(t);
    const { link } = front;
    const { requests } = examples['pairing.list'].output;
    const [request] = requests;
    await page.open(front.url);
    await page.see('Latest transactions');
    link.answerWith('pairing.allow', ({ days: _, ...given }) => {
      const { code, scopes, wallets } = request!;
      t.deepEqual(given, { code, scopes, wallets, password: 'correct horse' });
      const answered = { ...examples['grants.list'].output, allowed_origins: [request!.origin] };
      link.answerWith('grants.list', () => ok(answered));
      return ok({ requests: [], allowed_origins: [request!.origin] });
    });
    link.emit({ event: 'pairing.changed', data: { requests, allowed_origins: [] } });
    await page.see('A browser extension asks to be let in.');
    await page.click('Look at it');
    await page.see(request!.code);
    await looksRight(t, page, 'pairing');
    await page.evaluate(`document.querySelector('.request input[type=password]').focus()`);
    await page.insert('correct horse');
    await page.click('The code is the same: allow');
    await page.see('Let in no longer');
    t.false((await page.text()).includes('asks to be let in.'));
  },
);

browserTest('what was looked at is drawn year by year', async (t, page) => {
  const front = await madeUpFront(t);
  const { link } = front;
  link.answerWith('wallet.status', () =>
    ok({ ...examples['wallet.status'].output, unlocked: true, network: 'main' }),
  );
  link.answerWith('config.get', () => ok({ ...examples['config.get'].output, birthday_height: 1_000_000 }));
  link.answerWith('balance.get', () =>
    ok({
      ...examples['balance.get'].output,
      as_of_height: 2_900_000,
      missing_ranges: [{ start_height: 1_300_000, end_height: 1_900_000 }],
    }),
  );
  link.answerWith('sync.status', () =>
    ok({
      ...examples['sync.status'].output,
      syncing: false,
      progress: null,
      last_error: null,
      chain_tip: 3_000_000,
    }),
  );
  await page.open(`${front.url}/#/scan`);
  await page.see('2022');
  const rows = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.years li')].map((row) => [...row.querySelectorAll('span')].map((part) => part.innerText).join(' '))`,
  );
  t.deepEqual(
    rows.map((row) => row.slice(0, 4)),
    ['2020', '2021', '2022', '2023', '2024', '2025'],
  );
  t.is(rows[0], '2020 100%');
  t.is(rows[3], '2023 100%');
  t.regex(rows[1] ?? '', /^2021 [2-6]\d(\.\d)?%$/);
  await looksRight(t, page, 'coverage by year');
});

browserTest('a scan shows how far it is, how fast, and what it waits for', async (t, page) => {
  const front = await madeUpFront(t);
  const { link } = front;
  const { progress } = examples['sync.status'].output;
  const reach = { ...examples['balance.get'].output, as_of_height: 1_000_099, missing_ranges: [] };
  link.answerWith('balance.get', () => ok(reach));
  link.answerWith('config.get', () => ok({ ...examples['config.get'].output, birthday_height: 1_000_000 }));
  const tip = { chain_tip: 1_000_999, last_error: null };
  link.answerWith('sync.status', () =>
    ok({ ...examples['sync.status'].output, ...tip, syncing: false, progress: null }),
  );
  await page.open(front.url);
  await page.see('900 blocks not scanned yet.');
  const at = (committed: number, work_done: number, bounded_by: 'network' | 'cpu' | 'disk'): void => {
    const running = {
      start_height: 1_000_100,
      committed_height: committed,
      blocks_per_second: 10,
      bounded_by,
      work_done,
      work_total: 100_000,
      work_eta_seconds: 60,
    };
    link.emit({ event: 'sync.progress', data: { ...progress!, ...running } });
  };
  at(1_000_399, 5_000, 'network');
  await page.see('Scanning: 5%, 600 blocks to go.');
  await page.see(
    '0.75 MB a second arrive. About 60 seconds left. It mostly waits for blocks to arrive: the server',
  );
  t.is(await page.evaluate(`document.querySelector('progress').value`), 0.05);
  await looksRight(t, page, 'scanning');
  at(1_000_699, 70_000, 'cpu');
  await page.see('Scanning: 70%, 300 blocks to go.');
  await page.see('This computer is the limit');
  at(1_000_699, 70_000, 'disk');
  await page.see('It mostly waits for the disk');
  await page.click('Stop');
  t.false((await page.text()).includes('Scan now'));
});
