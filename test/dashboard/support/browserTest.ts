// Tests of pages in a real browser. They count as skipped where it is not installed.

import { readFileSync } from 'node:fs';
import { AT_LENGTH, inTurn } from '@wallet-companion/base/test/atLength';
import anyTest, { type ExecutionContext } from 'ava';
import type { Browser, BrowserKind, Page } from '../../helpers/page.ts';
import { type Run, skipWithout } from '../../helpers/suite.ts';

/** One browser for all tests of a file, a tab with storage of its own for each. One at a time. */
export function testsIn<P extends Page>(kind: BrowserKind<P>, flags: readonly string[] = []): Run<P> {
  const program = kind.find();
  if (program === undefined) return skipWithout(kind.name);
  let browser: Promise<Browser<P>> | undefined;
  anyTest.after.always(async () => (await browser)?.stop());
  return (title, body) =>
    anyTest.serial(title, async (t) => {
      browser ??= kind.start(program, flags);
      const page = await (await browser).page();
      await page.resize(1200, 900);
      await body(t, page);
      await page.close();
    });
}

/** By keyboard: the button, link or part to open with this text, as soon as it is there. */
export async function activate(page: Page, text: string): Promise<void> {
  const named = `[...document.querySelectorAll('button, a, summary')].find((e) => e.checkVisibility() && e.innerText.trim() === ${JSON.stringify(text)})`;
  await page.until(named);
  await page.evaluate(`(${named}).focus()`);
  await page.press('Enter');
}

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

/** Where `npm run pictures` wants each view as a picture. */
const PICTURES = process.env['WALLET_COMPANION_PICTURES'];

const LOOKS = [
  ['light', 360],
  ['dark', 1200],
  ...(AT_LENGTH || PICTURES ? [['light', 1200] as const] : []),
  ...(AT_LENGTH ? [['dark', 360] as const] : []),
] as const;

let views = 0;

/** Both themes, wide and narrow, by turns: no violation of axe's rules, and nothing to scroll sideways. */
export async function looksRight(t: ExecutionContext, page: Page, view: string): Promise<void> {
  await page.evaluate(`${AXE};void 0`);
  const chosen = await page.evaluate<string>('document.documentElement.dataset.theme');
  const choose = (theme: string) =>
    page.evaluate(`void (document.documentElement.dataset.theme = ${JSON.stringify(theme)})`);
  for (const [theme, width] of PICTURES ? LOOKS : inTurn(LOOKS, views++)) {
    const isPreferred = await page.prefer({ colours: theme });
    if (chosen !== 'system' || !isPreferred) await choose(theme);
    await page.resize(width, 900);
    const violations = await page.evaluate<Violation[]>('axe.run().then(({ violations }) => violations)');
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    );
    t.deepEqual(found, [], `${view}, ${theme}, ${width}`);
    const sideways = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    t.true(sideways <= 0, `${view} at ${width} is ${sideways} px too wide`);
    if (PICTURES && !view.includes('hostile'))
      await page.picture(`${PICTURES}/${view.replaceAll(/\W+/g, '-')}-${theme}-${width}`);
  }
  await choose(chosen);
}
