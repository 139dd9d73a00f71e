// Every page in the reader's language, by keyboard from page to page: no text of English is left, and nothing is too wide.

import { isEnglish } from '@wallet-companion/dashboard/test/allTexts';
import { CHROMIUM } from '../helpers/chromium.ts';
import { looksRight, testsIn } from './support/browserTest.ts';
import { madeUpFront, unlocked } from './support/madeUpFront.ts';

const browserTest = testsIn(CHROMIUM);

const PAGES = {
  'de-DE': {
    pages: ['Übersicht', 'Verlauf', 'Empfangen', 'Kasse', 'Zahlen', 'Scan', 'Einstellungen'],
    amount: '0,00000015',
    closed: 'Wallet entsperren',
  },
  'es-ES': {
    pages: ['Resumen', 'Movimientos', 'Recibir', 'Caja', 'Pagar', 'Escaneo', 'Ajustes'],
    amount: '0,00000015',
    closed: 'Desbloquee su monedero',
  },
} as const;

for (const [tag, { pages, amount, closed }] of Object.entries(PAGES))
  browserTest(`every page of an open wallet is in the language ${tag}`, async (t, page) => {
    const front = await madeUpFront(t);
    await page.speak(tag);
    await page.open(front.url);
    await page.see(amount);
    t.is(await page.evaluate('document.documentElement.lang'), tag.slice(0, 2));
    for (const name of pages) {
      await page.evaluate(
        `[...document.querySelectorAll('nav a')].find((link) => link.innerText === ${JSON.stringify(name)}).focus()`,
      );
      await page.press('Enter');
      await page.until(`document.title.startsWith(${JSON.stringify(name)})`);
      await page.evaluate(`document.querySelectorAll('details').forEach((part) => { part.open = true; })`);
      await page.until(`document.querySelectorAll('main .card').length > 0`);
      const shown = await page.evaluate<string[]>(
        `[...document.querySelectorAll('h1, h2, h3, p, dt, dd, label, legend, button, summary, a, th, option, [aria-label], .unseen')].flatMap((e) => [e.innerText, e.getAttribute('aria-label')]).filter(Boolean).map((text) => text.trim())`,
      );
      t.deepEqual(shown.filter(isEnglish()), [], name);
      await looksRight(t, page, `${name}, ${tag}`);
    }
    await page.evaluate(`location.hash = '#/statement'`);
    await page.until(`document.querySelector('main form')`);
    await looksRight(t, page, `statement, ${tag}`);
    unlocked(front, false);
    front.link.emit({ event: 'wallet.locked', data: { reason: 'idle' } });
    await page.see(closed);
    await looksRight(t, page, `locked, ${tag}`);
  });
