// What the page does with a payment that has its signatures.

import type { Page } from '../../helpers/chromium.ts';

export async function proveAndSend(page: Page): Promise<void> {
  await page.click('Make the proofs here');
  await page.until(`[...document.querySelectorAll('button')].some((one) => one.textContent === 'Send')`);
  await page.click('Send');
  await page.see('The node has taken it.');
}
