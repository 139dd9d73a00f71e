// The text of a file that the page makes and has the browser save.

import type { Page } from '../../helpers/page.ts';

/** `button`: the one that saves it. */
export async function savedBy(page: Page, button: string): Promise<string> {
  await page.evaluate(
    `{ const made = URL.createObjectURL; URL.createObjectURL = (blob) => { window.saved = blob.text(); return made(blob); }; }`,
  );
  await page.click(button);
  await page.until('window.saved');
  return page.evaluate<string>('window.saved');
}
