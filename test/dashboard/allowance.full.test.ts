// A payment that the allowance signer of the wallet signs later: the page names why it waits and until when, and goes on by itself.

import { startAllowanceStory } from '../helpers/allowanceStory.ts';
import { CHROMIUM } from '../helpers/chromium.ts';
import { looksRight, testsIn } from './support/browserTest.ts';
import { servedWallet } from './support/servedWallet.ts';

const browserTest = testsIn(CHROMIUM);
const SIGNER = 'Ask the signer';

browserTest(
  'a payment that waits for the delay of the signer shows the time, and goes on after it',
  async (t, page) => {
    const { bed, clock } = await startAllowanceStory(t, { delay: { above_zatoshi: 0, seconds: 86_400 } });
    const { payment_id: id } = await bed.prepare({ zatoshi: 1_000_000 });
    await page.open(`${await servedWallet(t, bed.wallet.link)}/#/pay/${id}`);
    await page.click(SIGNER);
    await page.see('The companion asks it again with each new block');
    const { waits_for: waits } = await bed.get(id);
    const until = await page.evaluate<string>(
      `new Intl.DateTimeFormat(navigator.languages, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(${JSON.stringify(waits!.until)}))`,
    );
    // In the list, at the head of the payment, and with its explanation.
    const text = `Waits until ${until} as the signer wants`;
    t.is((await page.text()).split(text).length - 1, 3);
    await looksRight(t, page, 'waits for a delay');
    clock.advance(86_400_000);
    await bed.mine(1);
    await page.until(`!document.body.innerText.includes('Waits until')`);
    t.false((await page.text()).includes(SIGNER));
    // The proofs were made meanwhile.
    await page.click('Send');
    await page.see('The node has taken it.');
    t.deepEqual(page.complaints, []);
  },
);

browserTest(
  'a payment that waits for a yes says so, and what the policy refuses is shown',
  async (t, page) => {
    const policy = { confirm: { above_zatoshi: 0 }, payment_zatoshi: 50_000_000 };
    const { bed, signer, unconfirmed } = await startAllowanceStory(t, policy);
    const { payment_id: large, txid } = await bed.prepare({ zatoshi: 60_000_000 });
    const { payment_id: small } = await bed.prepare({ zatoshi: 1_000_000 });
    const origin = await servedWallet(t, bed.wallet.link);
    await page.open(`${origin}/#/pay/${small}`);
    await page.click(SIGNER);
    await page.see('Waits for a yes at the terminal of the signer. The companion asks');
    await signer.cancel(unconfirmed[0]!.txid);
    await bed.mine(1);
    await page.until(`!document.body.innerText.includes('Waits for a yes')`);
    await page.click(SIGNER);
    await page.see('cancelled at the signer');
    await page.open(`${origin}/#/pay/${large}`);
    // The same document shows it, a moment later: until then the button is the other payment's.
    await page.see(txid);
    await page.click(SIGNER);
    await page.see('one payment may take 0.5 ZEC');
    t.deepEqual(
      page.complaints.filter((text) => !/4\d\d/.test(text)),
      [],
    );
  },
);
