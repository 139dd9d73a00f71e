// The history as a file for a spreadsheet. A browser saves the companion's stream; the window has no downloads, so
// there the user copies the text.

import { announce } from './announce.ts';
import type { App } from './app.ts';
import { h } from './dom.ts';
import { actionButton, Objection } from './form.ts';

export function exportPart(app: App): HTMLElement {
  if (app.store.transport.kind === 'browser') {
    return h(
      'a',
      { href: '/api/transactions/export?format=csv', download: 'transactions.csv' },
      'Download as CSV',
    );
  }
  return actionButton('Copy as CSV', 'quiet small', async () => {
    const text = await wholeText(app);
    await navigator.clipboard.writeText(text).catch(() => {
      throw new Objection(
        'This window did not allow copying: "wallet-companion transactions export" writes the same.',
      );
    });
    announce('The history was copied.');
  });
}

async function wholeText(app: App): Promise<string> {
  let text = '';
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await app.call('transactions.export', {
      format: 'csv',
      ...(cursor === undefined ? {} : { cursor }),
    });
    text += page.text ?? '';
    cursor = page.next_cursor;
  }
  return text;
}
