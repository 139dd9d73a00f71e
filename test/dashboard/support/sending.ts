// What the page does with a payment that has its signatures.

import type { ExecutionContext } from 'ava';
import type { Page } from '../../helpers/page.ts';
import type { startPaymentStory } from '../../helpers/paymentStoryBed.ts';

export async function proveAndSend(page: Page): Promise<void> {
  await page.click('Make the proofs here');
  await page.until(`[...document.querySelectorAll('button')].some((one) => one.textContent === 'Send')`);
  await page.click('Send');
  await page.see('The node has taken it.');
}

/** From the device's signatures on, which lead back to the page Pay. */
export async function shieldToTheEnd(
  t: ExecutionContext,
  page: Page,
  story: Awaited<ReturnType<typeof startPaymentStory>>,
  total: number,
): Promise<void> {
  await page.until(`location.pathname === '/'`);
  await proveAndSend(page);
  await story.mine(3);
  await page.see('Confirmed');
  t.is(await story.total(), total);
  t.deepEqual(
    page.complaints.filter((text) => !/4\d\d/.test(text)),
    [],
  );
}
