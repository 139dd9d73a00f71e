// The dashboard over a companion that answers with the wrong kinds of things: whatever becomes of the page, nothing of
// it runs, nothing of it is markup, and nothing is asked of anybody else. Its own words for what is said right, with
// hostile texts in it, are tested in test/dashboard/pages.full.test.ts.

import { inTurn } from '@wallet-companion/base/test/atLength';
import { readDashboard } from '@wallet-companion/dashboard';
import type { ExecutionContext } from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import type { CompanionEvent } from '../../src/protocol/events.ts';
import { type OperationName, operationNames } from '../../src/protocol/operations.ts';
import { ok } from '../../src/protocol/result.ts';
import { type HttpFront, startHttpFront } from '../helpers/httpFront.ts';
import type { Page } from '../helpers/page.ts';
import { suite } from '../helpers/suite.ts';

export const hostileAnswersSuite = suite<Page>();
const browserTest = hostileAnswersSuite.add;

const MARKUP = '<img src=x onerror="stolen=1"><svg onload="stolen=1"><script>stolen=1</script>';
const HOSTILE = `javascript:stolen=1//"' autofocus onfocus="stolen=1">${MARKUP}`;

const everyLeaf = (value: unknown, leaf: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => everyLeaf(item, leaf));
  if (typeof value !== 'object' || value === null) return leaf;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, everyLeaf(item, leaf)]));
};

/** Looks like an element, a text and a list at first sight. */
const CHIMERA = JSON.parse(
  `{"__proto__":{"stolen":1},"constructor":1,"nodeType":1,"length":1,"0":"x","textContent":"x","toString":"x"}`,
) as object;

const SHAPES: Readonly<Record<string, (honest: unknown) => unknown>> = {
  'texts for everything': (honest) => everyLeaf(honest, HOSTILE),
  'objects for everything': (honest) => everyLeaf(honest, { ...CHIMERA, innerHTML: HOSTILE, href: HOSTILE }),
  'lists for everything': (honest) => everyLeaf(honest, [HOSTILE, [HOSTILE]]),
  'numbers without end': (honest) => everyLeaf(honest, -1e308),
  nothing: (honest) => everyLeaf(honest, null),
  'an object for every list': (honest) =>
    JSON.parse(JSON.stringify(honest).replaceAll('[', '{"list":[').replaceAll(']', ']}')) as unknown,
  'a text alone': () => HOSTILE,
  'a list alone': () => [CHIMERA, HOSTILE],
};

/** The pages are shown at all while these two are honest. */
const NEEDED: readonly OperationName[] = ['wallet.status', 'config.get'];

/** The front's clock stands still here. */
const UNLIMITED = { requestsPerSecond: 1_000_000, burst: 1_000_000 };

async function open(t: ExecutionContext, page: Page): Promise<HttpFront> {
  const stopping = new AbortController();
  const front = await startHttpFront({
    dashboard: readDashboard(),
    stopping: stopping.signal,
    rateLimit: UNLIMITED,
  });
  t.teardown(() => {
    stopping.abort();
    return front.close();
  });
  const source = `
    window.violations = [];
    addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));
    for (const name of ['alert', 'confirm', 'prompt', 'open']) window[name] = () => { window.stolen = 1; };`;
  await page.runFirst(source);
  return front;
}

function answer(
  { link }: HttpFront,
  change: (honest: unknown) => unknown,
  but: readonly OperationName[],
): void {
  for (const name of operationNames) {
    const { output } = examples[name];
    const paged = 'next_cursor' in output ? { ...output, next_cursor: null } : output;
    const honest = name === 'wallet.status' ? { ...output, exists: true, unlocked: true } : paged;
    link.answerWith(name, () => ok(but.includes(name) ? honest : change(honest)) as never);
  }
}

const ODD = `[...document.querySelectorAll('body *')].flatMap((element) => [
  ...(/^(?:img|script|iframe|object|embed|style|link|base|form-x)$/.test(element.localName) ? [element.localName] : []),
  ...[...element.attributes]
    .filter(({ name, value }) => /^on/.test(name) || (/^(?:href|src|action|formaction|srcdoc|data|xlink:href)$/.test(name) && !/^(?:#|\\/api\\/|\\/device#)/.test(value)))
    .map(({ name, value }) => name + '=' + value),
])`;

async function staysHarmless(
  t: ExecutionContext,
  page: Page,
  { url }: HttpFront,
  what: string,
): Promise<void> {
  // What the page has asked for by now is answered before these are, one after the other.
  await page.evaluate(
    `(async () => { for (let i = 0; i < 10; i++) await fetch('/api/wallet/status').then((a) => a.text()); })()`,
  );
  await page.evaluate(`document.querySelectorAll('details').forEach((part) => { part.open = true; })`);
  t.deepEqual(await page.evaluate(ODD), [], what);
  t.is(await page.evaluate('window.stolen'), undefined, what);
  t.deepEqual(await page.evaluate('window.violations'), [], what);
  t.is(await page.evaluate('location.origin'), url, what);
  t.deepEqual(
    page.requested.filter((asked) => !asked.startsWith(`${url}/`) && asked !== 'about:blank'),
    [],
    what,
  );
}

/** Anew: another hash alone would keep the page. */
async function load(page: Page, url: string): Promise<void> {
  await page.open('about:blank');
  await page.open(url);
}

const PAGES = ['', 'activity', 'receive', 'scan', 'settings'];

for (const [place, [shape, change]] of Object.entries(SHAPES).entries()) {
  browserTest(`answers with ${shape} run nothing and are no markup`, async (t, page) => {
    const front = await open(t, page);
    for (const but of [NEEDED, []]) {
      answer(front, change, but);
      await load(page, front.url);
      for (const hash of but === NEEDED ? inTurn(PAGES, place) : ['']) {
        await page.open(`${front.url}/#/${hash}`);
        await page.until(`document.querySelector('#main')`);
        await staysHarmless(t, page, front, `${shape}, ${hash}, ${but.length}`);
      }
    }
  });
}

browserTest('events and refusals with hostile texts run nothing and are no markup', async (t, page) => {
  const front = await open(t, page);
  const { link } = front;
  answer(front, (honest) => honest, NEEDED);
  await page.open(front.url);
  await page.see('Latest transactions');
  const { requests } = examples['pairing.list'].output;
  const reported: readonly (readonly [string, object])[] = [
    ['note.received', examples['notes.list'].output.notes[0]!],
    ['sync.progress', examples['sync.status'].output.progress ?? {}],
    ['config.changed', examples['config.get'].output],
    ['pairing.changed', { requests, allowed_origins: [HOSTILE] }],
    ['follow.changed', examples['follow.get'].output],
    ['payment.changed', { ...examples['payments.get'].output }],
    ['reorg', { fork_height: 1, depth: 1 }],
  ];
  for (const [event, data] of reported) {
    for (const leaf of [HOSTILE, [HOSTILE], CHIMERA, -1e308, null]) {
      link.emit({ event, data: everyLeaf(data, leaf) } as CompanionEvent);
    }
    await staysHarmless(t, page, front, event);
  }
  for (const name of operationNames) {
    if (name !== 'wallet.status') {
      const errors = [{ path: HOSTILE, message: HOSTILE }];
      link.failWith(name, { code: 'INVALID_REQUEST', detail: HOSTILE, errors });
    }
  }
  for (const hash of PAGES) {
    await page.open(`${front.url}/#/${hash}`);
    await staysHarmless(t, page, front, `refused, ${hash}`);
  }
  link.emit({ event: 'wallet.locked', data: { reason: HOSTILE } } as never);
  await page.see('Unlock your wallet');
  await page.type('Password', 'x');
  await page.click('Unlock');
  await page.see('stolen=1');
  await staysHarmless(t, page, front, 'unlock');
});
