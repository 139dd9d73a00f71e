// Receipts on the page, by keyboard: made from a payment that was sent, whole or one output, and checked until a reorganisation takes
// the payment away; each result in each language; and the page that needs no wallet.

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isEnglish } from '@wallet-companion/dashboard/test/allTexts';
import { readVectors } from '@wallet-companion/zcash/test/readVectors';
import type { ExecutionContext } from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { CompanionError } from '../../src/protocol/errors.ts';
import type { Output } from '../../src/protocol/operations.ts';
import { failure, ok } from '../../src/protocol/result.ts';
import { CHROMIUM } from '../helpers/chromium.ts';
import type { Page } from '../helpers/page.ts';
import { startPaymentStory } from '../helpers/paymentStoryBed.ts';
import { decoded, modulesOfPath } from '../helpers/qrReading.ts';
import { activate, looksRight, testsIn } from './support/browserTest.ts';
import { madeUpFront } from './support/madeUpFront.ts';
import { servedWallet } from './support/servedWallet.ts';

const browserTest = testsIn(CHROMIUM);

/** Besides the sizes of all views: those of a desk and of a phone. */
async function fits(t: ExecutionContext, page: Page, view: string): Promise<void> {
  await looksRight(t, page, view);
  for (const width of [375, 1280]) {
    await page.resize(width, 800);
    t.true((await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')) <= 0, view);
  }
}

const verdicts = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.verdict')].map((e) => e.innerText)`);

async function checked(page: Page, ...receipts: readonly string[]): Promise<string[]> {
  await page.type('Receipt', receipts.join('\n'));
  await activate(page, 'Check');
  await page.until(`document.querySelectorAll('.verdict').length === ${receipts.length}`);
  return verdicts(page);
}

browserTest(
  'a receipt is made from a sent payment, and checked while its block comes and goes',
  async (t, page) => {
    const story = await startPaymentStory(t);
    const [one, two] = [story.addressOf(7), story.addressOf(8)];
    const uri = `zcash:?address=${one}&amount=0.25&memo=${Buffer.from('order 17').toString('base64url')}&address.1=${two}&amount.1=0.125`;
    const { payment_id: id, txid } = await story.call('payments.prepare', { uri, source: 'node' });
    await story.complete(id);
    const origin = await servedWallet(t, story.wallet.link);
    await page.open(`${origin}/#/pay/${id}`);
    await page.see(txid);
    t.false((await page.text()).includes('Make a receipt'), 'it is not sent');
    await story.broadcast(id);
    await activate(page, 'Make a receipt');
    await page.see('A receipt does not prove who paid');
    await page.type('Words for the reader', 'invoice 17');
    await page.press('Enter');
    await page.see('2 outputs, 0.375\u00a0ZEC');
    const receipts = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.address code')].map((e) => e.textContent)`,
    );
    t.is(receipts.length, 2);
    const facts = await page.text();
    for (const shown of ['order 17', 'invoice 17', '0.25', '0.125']) t.true(facts.includes(shown), shown);
    await page.evaluate(`document.querySelector('.part details').open = true`);
    const [path, width] = await page.evaluate<[string, number]>(
      `(({ firstElementChild: path, viewBox }) => [path.getAttribute('d'), viewBox.baseVal.width])(document.querySelector('.part .qr svg'))`,
    );
    t.is(decoded(modulesOfPath(path, width)), receipts[0]!);
    await fits(t, page, 'receipts');

    t.regex((await checked(page, receipts[0]!)).join(), /^Not yet .*not in a block yet/);
    await story.mine(2);
    const link = `https://shop.example/r#${receipts[1]}`;
    const found = await checked(page, receipts[0]!, link, receipts[0]!.slice(0, -9));
    t.deepEqual(
      found.map((text) => text.split(' ')[0]),
      ['Right', 'Right', 'Wrong'],
    );
    await page.see('Proved together: 0.375\u00a0ZEC');
    await page.see(`Block ${(story.devnet.tip.height - 1).toLocaleString('en')}, 2 confirmations`);
    await fits(t, page, 'receipts checked');
    const raw = Buffer.from(story.devnet.blocks.byTxid(txid)!.transaction.bytes).toString('hex');
    await activate(page, 'Without asking a server');
    await page.type('Whole transaction in hexadecimal', raw.slice(0, 200));
    await activate(page, 'Check');
    await page.until(`document.querySelector('[aria-invalid=true]')?.name === 'transaction'`);
    await page.type('Whole transaction in hexadecimal', raw);
    t.regex((await checked(page, receipts[0]!)).join(), /^Right .*was not looked at/);
    await page.type('Whole transaction in hexadecimal', ' ');

    story.devnet.reorganise(2, [{}, {}, {}]);
    story.devnet.mempool.drop(Buffer.from(txid, 'hex').reverse() as never);
    t.regex((await checked(page, receipts[0]!)).join(), /^Not yet .*reorganisation/);
    t.deepEqual(
      page.complaints.filter((text) => !/400/.test(text)),
      [],
    );
  },
);

type Answer = Output<'receipts.verify'>;
const REASONS = [
  null,
  'not_found',
  'not_mined',
  'not_in_chain',
  'other_network',
  'other_transaction',
  'bad_signature',
  'other_challenge',
  'no_such_output',
  'does_not_open',
] as const satisfies readonly Answer['reason'][];
const PENDING: readonly Answer['reason'][] = ['not_found', 'not_mined', 'not_in_chain'];

const WORDS = {
  'en-GB': ['Check a receipt', 'Receipt', 'Check'],
  'de-DE': ['Einen Beleg prüfen', 'Beleg', 'Prüfen'],
  'es-ES': ['Comprobar un comprobante', 'Comprobante', 'Comprobar'],
} as const;

for (const [tag, [open, field, button]] of Object.entries(WORDS))
  browserTest(`each result of a check has its own words in the language ${tag}`, async (t, page) => {
    const { link, url } = await madeUpFront(t);
    const answer = examples['receipts.verify'].output;
    link.answerWith('receipts.verify', ({ receipt }) => {
      const reason = REASONS[Number(receipt.slice('eyJ'.length))];
      if (reason === undefined)
        return failure(
          new CompanionError('INVALID_REQUEST', 'x', {
            errors: [{ path: 'receipt', message: 'is refused' }],
          }),
        );
      const result = reason === null ? 'valid' : PENDING.includes(reason) ? 'pending' : 'invalid';
      const unopened = result === 'invalid' && { value_zatoshi: null, recipient: null, memo: null };
      return ok({ ...answer, ...unopened, result, reason });
    });
    await page.speak(tag);
    await page.open(`${url}/#/activity`);
    await activate(page, open);
    await page.type(field, [...REASONS, undefined].map((_, index) => `eyJ${index}`).join('\n'));
    await activate(page, button);
    await page.until(`document.querySelectorAll('.verdict').length === ${REASONS.length + 1}`);
    const texts = await verdicts(page);
    t.is(new Set(texts).size, texts.length);
    const shown = await page.evaluate<string[]>(
      `[...document.querySelectorAll('h1, h2, p, dt, label, button, summary, a, .verdict strong')].map((e) => e.innerText?.trim()).filter(Boolean)`,
    );
    if (tag !== 'en-GB') t.deepEqual(shown.filter(isEnglish()), []);
    await fits(t, page, `receipts, ${tag}`);
  });

const PAGE = pathToFileURL(path.resolve('packages/dashboard/dist/receipt.html')).href;

browserTest('one file checks a receipt without a wallet, and can neither load nor send', async (t, page) => {
  const { cases } = readVectors<{ cases: Record<string, string>[] }>('receipts');
  const [kept, other] = cases as [Record<string, string>, Record<string, string>];
  const { txid } = JSON.parse(Buffer.from(kept['receipt']!, 'base64url').toString());
  await page.open(`${PAGE}#${kept['receipt']}`);
  await page.see('Check a receipt');
  await activate(page, 'Check');
  await page.see('Not checked Give the transaction with this id as well.');
  await page.see(txid);
  await page.type('Whole transaction in hexadecimal', kept['transaction']!.slice(2));
  await activate(page, 'Check');
  await page.until(`document.querySelector('[aria-invalid=true]')?.name === 'transaction'`);
  await page.type('Whole transaction in hexadecimal', kept['transaction']!);
  await activate(page, 'Check');
  await page.see('was not looked at');
  const shown = await page.text();
  const amount = (Number(kept['value']) / 1e8).toFixed(8);
  const memo = Buffer.from(kept['memo']!, 'hex').toString();
  for (const fact of [amount, kept['label']!, memo, 'does not prove who paid'])
    t.true(shown.includes(fact), fact);
  await fits(t, page, 'receipt without a wallet');
  const json = JSON.parse(Buffer.from(kept['receipt']!, 'base64url').toString());
  const ock = `${json.ock[0] === 'A' ? 'B' : 'A'}${json.ock.slice(1)}`;
  t.regex((await checked(page, JSON.stringify({ ...json, ock }))).join(), /^Wrong .*does not open/);
  const found = await checked(page, kept['receipt']!, other['receipt']!, kept['receipt']!.slice(0, -9));
  t.deepEqual(
    found.map((text) => text.split(' ', 2).join(' ')),
    ['Right The', 'Not checked', 'Wrong This'],
  );
  t.deepEqual(page.complaints, []);
  t.is(
    await page.evaluate(
      `new Promise((resolve) => { addEventListener('securitypolicyviolation', (event) => resolve(event.violatedDirective)); fetch('http://127.0.0.1:9/').catch(() => 0); })`,
    ),
    'connect-src',
  );
});
