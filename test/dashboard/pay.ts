// The page for payments in a real Chromium: prepared with consent by name, taken to the signer and back, sent and given up.

import { pcztOf, UrReader } from '@wallet-companion/devices/ur';
import { stageBytes } from '@wallet-companion/pczt/test/pcztVectors';
import type { ExecutionContext } from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { CompanionError } from '../../src/protocol/errors.ts';
import type { Output } from '../../src/protocol/operations.ts';
import { failure, ok } from '../../src/protocol/result.ts';
import type { HttpFront } from '../helpers/httpFront.ts';
import type { Page } from '../helpers/page.ts';
import { decoded, modulesOfPath } from '../helpers/qrReading.ts';
import { suite } from '../helpers/suite.ts';
import { looksRight } from './support/browserTest.ts';
import { madeUpFront } from './support/madeUpFront.ts';

export const paySuite = suite<Page>();
const browserTest = paySuite.add;

type Payment = Output<'payments.get'>;

const HOSTILE = '"><img src=x onerror=window.stolen=1><script>window.stolen=1</script>\u202egnp.exe';
const PCZT = Buffer.from(stageBytes('v6-ironwood-ironwood', 'ready')).toString('base64');
const PREPARED = examples['payments.get'].output;
const ID = PREPARED.payment_id;
const COMPLETE: Payment = { ...PREPARED, status: 'complete', missing: [] };

async function open(
  t: ExecutionContext,
  page: Page,
  payments: readonly Payment[] = [],
  status = { own_signer: false },
): Promise<HttpFront> {
  const front = await madeUpFront(t);
  const { link } = front;
  link.answerWith('wallet.status', () =>
    ok({ ...examples['wallet.status'].output, exists: true, unlocked: true, ...status }),
  );
  link.answerWith('payments.list', () => ok({ payments, next_cursor: null }));
  link.answerWith('payments.prepare', () =>
    ok({ ...PREPARED, pczt: PCZT, encoding: 2, left: null, warnings: [] }),
  );
  link.answerWith('payments.pczt', () => ok({ ...examples['payments.pczt'].output, pczt: PCZT }));
  await page.open(`${front.url}/#/pay`);
  await page.see('Prepare a payment');
  return front;
}

const inputsOf = ({ link }: HttpFront, name: string): unknown[] =>
  link.calls.filter((call) => call.name === name).map((call) => call.input);

/** As a person chooses a file, or drops one. */
const give = (page: Page, base64: string, how: 'choose' | 'drop'): Promise<unknown> =>
  page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob(${JSON.stringify(base64)}), (letter) => letter.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], 'signed.pczt'));
    const input = document.querySelector('.drop input');
    if (${JSON.stringify(how)} === 'drop')
      return input.parentElement.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    input.files = dataTransfer.files;
    return input.dispatchEvent(new Event('change'));
  })()`);

const chooseFirst = async (page: Page): Promise<void> => {
  await page.until(`document.querySelector('.payments button')`);
  await page.evaluate(`document.querySelector('.payments button').click()`);
};

const step = (page: Page): Promise<string> =>
  page.evaluate(`document.querySelector('.steps [aria-current=step]').innerText.trim()`);

const fieldNamed = (label: string): string =>
  `[...document.querySelectorAll('label')].some((one) => one.textContent === ${JSON.stringify(label)} && one.checkVisibility())`;

browserTest('why a payment was signed and not sent is shown, though its form is gone', async (t, page) => {
  const { link } = await open(t, page, [PREPARED], { own_signer: true });
  const added = { signatures_added: 1, proofs_added: 0, left_out: [] };
  link.answerWith('payments.sign', () => ok({ ...COMPLETE, ...added }));
  link.answerWith('payments.broadcast', () =>
    failure(new CompanionError('TRANSACTION_REFUSED', 'The other side wants another fee.')),
  );
  await chooseFirst(page);
  await page.see('Sign it here');
  await page.type('Password', 'of this wallet');
  await page.click('Sign and send');
  await page.see('The other side wants another fee.');
  t.false((await page.text()).includes('Sign it here'));
  link.answerWith('payments.broadcast', () => ok({ ...COMPLETE, status: 'sent' }));
  await page.click('Send');
  await page.until(`!document.body.innerText.includes('The other side wants another fee.')`);
});

browserTest(
  'a payment is prepared, shows what is public only when that is agreed to, and is carried to its end',
  async (t, page) => {
    const front = await open(t, page);
    const { link } = front;
    await page.see('No payment has been prepared yet.');
    t.is(await step(page), 'Who and how much');
    await looksRight(t, page, 'pay');

    await page.click('Prepare');
    await page.see('To: Please fill it in.');
    await page.type('To', 'u1typed');
    await page.type('Amount', 'much');
    await page.click('Prepare');
    await page.see('Amount: This is not an amount.');
    t.is(await page.evaluate(`document.activeElement.getAttribute('aria-invalid')`), 'true');
    t.deepEqual(inputsOf(front, 'payments.prepare'), []);

    link.answerWith('payments.prepare', ({ privacy = [], try_anyway: anyway }) => {
      if (privacy.length < 2)
        return failure(
          new CompanionError(
            'CONSENT_NEEDED',
            'Everybody would see that 1.5001 ZEC leave orchard (crossing_pools) and 1.5 ZEC go to tm1 (transparent_recipients).',
            { consents: ['crossing_pools', 'transparent_recipients'] },
          ),
        );
      if (anyway !== true)
        return failure(new CompanionError('DEVICE_LIMIT', 'Keystone signs for no notes in Sapling.'));
      return ok({
        ...PREPARED,
        pczt: PCZT,
        encoding: 2,
        left: { zatoshi: 20_000, payments: 1 },
        warnings: [],
      });
    });
    await page.type('Amount', '1.5');
    await page.type('Memo', 'rent');
    await page.click('Prepare');
    await page.see('Everybody would see that 1.5001 ZEC leave orchard');
    t.false((await page.text()).includes('A fee that is not the usual one'));
    await looksRight(t, page, 'consent');
    // It was asked for another amount.
    await page.click('Amounts that move between pools');
    await page.type('Amount', '1.25');
    t.false((await page.text()).includes('leave orchard'));
    await page.click('Prepare');
    await page.see('leave orchard');
    await page.click('Amounts that move between pools');
    await page.click('Recipients in the open, and what they get');
    await page.click('Prepare');
    await page.see('Keystone signs for no notes in Sapling.');
    await looksRight(t, page, 'device limit');
    await page.click('Prepare it all the same');
    await page.click('Prepare');
    await page.see('Left after it');
    t.is(await step(page), 'Check');
    t.false((await page.text()).includes('Take it to the signer'));
    await looksRight(t, page, 'to check');
    await page.click('It is right: go on');
    await page.see('Take it to the signer');
    t.is(await step(page), 'Sign and prove');
    const common = { account: 0, address: 'u1typed', memo: 'rent' };
    t.deepEqual(inputsOf(front, 'payments.prepare'), [
      { ...common, zatoshi: 150_000_000 },
      { ...common, zatoshi: 125_000_000 },
      { ...common, zatoshi: 125_000_000, privacy: ['crossing_pools', 'transparent_recipients'] },
      {
        ...common,
        zatoshi: 125_000_000,
        privacy: ['crossing_pools', 'transparent_recipients'],
        try_anyway: true,
      },
    ]);
    await page.see('ironwood: 1 signature, proofs');
    await page.see('did not fit into one transaction: it takes 1 more payment.');

    await page.click('What the device will show');
    await page.see('Everybody sees');
    t.deepEqual(inputsOf(front, 'pczt.inspect'), [{ pczt: PCZT }]);
    await looksRight(t, page, 'prepared');

    link.failWith('payments.combine', { code: 'PCZT_CHANGED', detail: 'It pays somebody else: outputs.0.' });
    await give(page, PCZT, 'choose');
    await page.see('It pays somebody else: outputs.0.');
    await give(page, Buffer.from('<html>').toString('base64'), 'drop');
    await page.see('This file is no PCZT, neither as bytes nor in base64.');
    t.deepEqual(inputsOf(front, 'payments.combine'), [{ payment_id: ID, pczt: PCZT }]);
    link.answerWith('payments.combine', () =>
      ok({ ...COMPLETE, signatures_added: 1, proofs_added: 1, left_out: [] }),
    );
    await give(page, Buffer.from(PCZT).toString('base64'), 'drop');
    await page.until(`!document.body.innerText.includes('Bring it back')`);
    t.is(await step(page), 'Send');
    t.deepEqual(inputsOf(front, 'payments.combine').at(-1), { payment_id: ID, pczt: PCZT });

    await page.until(`!${fieldNamed('Password')}`);
    link.failWith('payments.broadcast', {
      code: 'INVALID_REQUEST',
      detail: 'The password is needed to send.',
      errors: [{ path: 'password', message: 'is needed' }],
    });
    await page.click('Send');
    await page.see('The password is needed to send.');
    await page.until(fieldNamed('Password'));
    await looksRight(t, page, 'password to send');
    link.answerWith('payments.broadcast', () => ok(examples['payments.broadcast'].output));
    await page.type('Password', 'correct horse');
    await page.click('Send');
    await page.see('The node has taken it.');
    t.deepEqual(inputsOf(front, 'payments.broadcast'), [
      { payment_id: ID },
      { payment_id: ID, password: 'correct horse' },
    ]);
    t.false((await page.evaluate<string>('document.documentElement.outerHTML')).includes('correct horse'));

    const mined: Payment = {
      ...COMPLETE,
      status: 'mined',
      mined_height: 1_000_060,
      confirmations: 2,
      expires_at: null,
    };
    link.answerWith('payments.list', () => ok({ payments: [mined], next_cursor: null }));
    link.emit({
      event: 'payment.changed',
      data: {
        payment_id: ID,
        account: 0,
        txid: mined.txid,
        status: 'mined',
        mined_height: 1_000_060,
        grant_id: null,
      },
    });
    await page.see('Block 1,000,060, 2 of 3 confirmations');
    t.is(await step(page), 'Follow it');
    t.false((await page.text()).includes('Send it once more'));
    await looksRight(t, page, 'mined');
    t.deepEqual(
      page.complaints.filter((text) => !/40[0-9]/.test(text)),
      [],
    );
  },
);

browserTest('a request and all of the funds need no amount', async (t, page) => {
  const front = await open(t, page);
  await page.type('To', 'zcash:u1typed?amount=1.5');
  await page.until(`!${fieldNamed('Amount')}`);
  await page.click('Prepare');
  await page.see('Left after it');
  await page.type('To', 'u1typed');
  await page.until(fieldNamed('Amount'));
  await page.clickByMouse('Send everything that can be sent');
  await page.until(`!${fieldNamed('Amount')}`);
  await page.click('Prepare');
  await page.until(`document.querySelector('input[maxlength="16384"]').value === ''`);
  t.deepEqual(inputsOf(front, 'payments.prepare'), [
    { account: 0, uri: 'zcash:u1typed?amount=1.5' },
    { account: 0, address: 'u1typed', everything: true },
  ]);
});

browserTest('a file leaves as the bytes of the PCZT, by a download of the browser', async (t, page) => {
  await open(t, page, [PREPARED]);
  await page.evaluate(`URL.createObjectURL = (blob) => { window.saved = blob; return 'blob:saved'; };
    HTMLAnchorElement.prototype.click = function () { window.savedAs = [this.getAttribute('href'), this.download]; };`);
  await chooseFirst(page);
  await page.click('Save as a file');
  await page.until('window.savedAs !== undefined');
  t.deepEqual(await page.evaluate('window.savedAs'), ['blob:saved', `payment-${ID.slice(0, 8)}.pczt`]);
  t.is(
    await page.evaluate(
      `window.saved.arrayBuffer().then((bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))))`,
    ),
    PCZT,
  );
});

/** The page's timers from here on: they fire by `tick` alone. */
const stopTime = (page: Page): Promise<unknown> =>
  page.evaluate(`window.timers = new Map(); let last = 0;
    window.setInterval = (act, ms) => { timers.set(++last, [act, ms]); return last; };
    window.clearInterval = (id) => timers.delete(id);`);
const tick = (page: Page): Promise<unknown> => page.evaluate('timers.forEach(([act]) => act())');
const paces = (page: Page): Promise<number[]> => page.evaluate('[...timers.values()].map(([, ms]) => ms)');

/** What a camera reads in front of the page. */
async function codeShown(page: Page): Promise<string> {
  const [path, size] = await page.evaluate<[string, number]>(
    `[document.querySelector('.moving path').getAttribute('d'), document.querySelector('.moving svg').viewBox.baseVal.width]`,
  );
  return decoded(modulesOfPath(path, size));
}

/** Reads code after code; `next` shows the next one. */
async function readAll(page: Page, next: () => Promise<unknown>): Promise<Uint8Array> {
  const reader = new UrReader();
  for (let number = 1; ; number++) {
    await page.see(`Part ${number}${number > TOTAL ? ', a mixture of the' : ' of'} ${TOTAL}`);
    // Some are lost, here as everywhere.
    if (number % 5 !== 3) reader.receive(await codeShown(page));
    if (reader.message !== undefined) return pcztOf(reader.message);
    await next();
  }
}
const TOTAL = Math.ceil((Buffer.from(PCZT, 'base64').length + 5) / 200);

browserTest(
  'a payment moves past the camera of a device as codes, and stands still on demand',
  async (t, page) => {
    const front = await open(t, page, [PREPARED]);
    await chooseFirst(page);
    await stopTime(page);
    await page.click('Show as moving codes');
    t.deepEqual(Buffer.from(await readAll(page, () => tick(page))).toString('base64'), PCZT);
    t.deepEqual(inputsOf(front, 'payments.pczt'), [{ payment_id: ID }]);
    t.deepEqual(await paces(page), [200]);
    await looksRight(t, page, 'moving codes');

    await page.click('Pause');
    await page.until('timers.size === 0');
    const still = await codeShown(page);
    await page.click('Next code');
    t.is(await page.evaluate(`document.querySelectorAll('.moving svg').length`), 1);
    await page.click('Go on');
    await page.until('timers.size === 1');
    t.not(await codeShown(page), still);
    await page.choose('Size of the codes', '300');
    await page.see(`Part 1 of ${Math.ceil((Buffer.from(PCZT, 'base64').length + 5) / 300)}`);
    t.deepEqual(await paces(page), [200]);

    // The button keeps the focus, whatever it says.
    await page.evaluate(
      `[...document.querySelectorAll('button')].find(({ innerText }) => innerText === 'Hide the codes').focus()`,
    );
    await page.click('Hide the codes');
    await page.until(`document.querySelector('.moving') === null && timers.size === 0`);
    t.is(await page.evaluate('document.activeElement.innerText'), 'Show as moving codes');
    t.deepEqual(page.complaints, []);
  },
);

browserTest('where less motion is wanted, each code waits for a button', async (t, page) => {
  await page.prefer({ motion: 'reduce' });
  await open(t, page, [PREPARED]);
  await chooseFirst(page);
  await stopTime(page);
  await page.click('Show as moving codes');
  const read = await readAll(page, () => page.click('Next code'));
  t.deepEqual(Buffer.from(read).toString('base64'), PCZT);
  t.deepEqual(await paces(page), []);
});

browserTest('keys alone choose a payment, give it up and keep their place', async (t, page) => {
  const other: Payment = { ...COMPLETE, payment_id: 'a0'.repeat(16) };
  const front = await open(t, page, [PREPARED, other]);
  await page.see('Complete, not sent');
  await page.evaluate(`document.querySelectorAll('.payments button')[1].focus()`);
  await page.press('Enter');
  await page.see('Give it up');
  t.is(await page.evaluate(`document.activeElement.getAttribute('aria-pressed')`), 'true');
  await page.click('Give it up');
  await page.see('Given up: its notes are free again');
  t.deepEqual(inputsOf(front, 'payments.discard'), [{ payment_id: other.payment_id }]);
});

browserTest('a link to another payment is followed while the page is open', async (t, page) => {
  const other: Payment = { ...COMPLETE, payment_id: 'a0'.repeat(16) };
  await open(t, page, [PREPARED, other]);
  const chosen = (at: number) =>
    page.until(
      `document.querySelectorAll('.payments button')[${at}]?.getAttribute('aria-pressed') === 'true'`,
    );
  for (const [at, payment] of [PREPARED, other, PREPARED].entries()) {
    await page.evaluate(`location.hash = '#/pay/${payment.payment_id}'`);
    await chosen(at % 2);
  }
  await page.evaluate(`document.querySelectorAll('.payments button')[1].click()`);
  await chosen(1);
  t.deepEqual(page.complaints, []);
});

browserTest('what others wrote stays text, and a lock takes all of it away', async (t, page) => {
  const poisoned: Payment = {
    ...PREPARED,
    payments: [
      { pool: 'ironwood', address: HOSTILE, contact: HOSTILE, amount_zatoshi: 5, memo: { text: HOSTILE } },
    ],
    becomes_public: [{ consent: 'transparent_recipients', pool: null, address: HOSTILE, amount_zatoshi: 5 }],
    last_sent: { at: PREPARED.created_at, source: 'node', server: null, outcome: 'refused', detail: HOSTILE },
  };
  const front = await open(t, page, [poisoned]);
  const seen = examples['pczt.inspect'].output;
  front.link.answerWith('pczt.inspect', () =>
    ok({
      ...seen,
      outputs: seen.outputs.map((one) => ({ ...one, typed_address: HOSTILE, memo: { text: HOSTILE } })),
      becomes_public: { ...seen.becomes_public, statements: [HOSTILE] },
      warnings: [{ code: 'x', field: HOSTILE, text: HOSTILE }],
    }),
  );
  await chooseFirst(page);
  await page.click('What the device will show');
  await page.see('Everybody sees');
  t.is(await page.evaluate(`document.body.querySelectorAll('img, script, iframe, style').length`), 0);
  t.is(await page.evaluate('window.stolen'), undefined);
  await looksRight(t, page, 'hostile payment');
  front.link.answerWith('wallet.status', () =>
    ok({ ...examples['wallet.status'].output, exists: true, unlocked: false }),
  );
  front.link.emit({ event: 'wallet.locked', data: { reason: 'idle' } });
  await page.see('Unlock');
  t.false((await page.evaluate<string>('document.documentElement.outerHTML')).includes('gnp.exe'));
});

browserTest(
  'a contact is chosen by name, and a warning about who is paid stays in sight',
  async (t, page) => {
    const front = await open(t, page);
    front.link.answerWith('contacts.list', () =>
      ok({ contacts: [{ name: 'Alice', address: 'u1alice', note: null }] }),
    );
    const text = 'begins and ends like the address of your contact Alice, and is another one';
    front.link.answerWith('payments.prepare', () =>
      ok({
        ...PREPARED,
        payments: [{ ...PREPARED.payments[0]!, contact: 'Alice' }],
        pczt: PCZT,
        encoding: 2,
        left: null,
        warnings: [{ address: 'u1typed', text }],
      }),
    );
    await page.reload();
    await page.until(`document.querySelector('datalist option[value=Alice]')`);
    await page.type('To', 'alice');
    await page.type('Amount', '1.5');
    await page.click('Prepare');
    await page.see(`u1typed ${text}.`);
    await page.see('to Alice');
    t.deepEqual(inputsOf(front, 'payments.prepare'), [
      { account: 0, contact: 'alice', zatoshi: 150_000_000 },
    ]);
    await looksRight(t, page, 'warned');
  },
);
