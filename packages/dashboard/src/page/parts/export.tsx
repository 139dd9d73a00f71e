// The history as a file for a spreadsheet. A browser saves the companion's stream; the window has no downloads, so
// there the user copies the text.

import { type App, Objection, useApp } from './app.ts';
import { ActionButton } from './form.tsx';

export function Export() {
  const app = useApp();
  if (app.store.transport.kind === 'browser') {
    return (
      <a href="/api/transactions/export?format=csv" download="transactions.csv">
        Download as CSV
      </a>
    );
  }
  return <ActionButton text="Copy as CSV" class="quiet small" act={() => copyAll(app)} />;
}

async function copyAll({ call, store }: App): Promise<void> {
  let text = '';
  for (let cursor: { cursor?: string } | undefined = {}; cursor !== undefined; ) {
    const page: Awaited<ReturnType<typeof call<'transactions.export'>>> = await call('transactions.export', {
      format: 'csv',
      ...cursor,
    });
    text += page.text ?? '';
    cursor = page.next_cursor == null ? undefined : { cursor: page.next_cursor };
  }
  await navigator.clipboard.writeText(text).catch(() => {
    throw new Objection(
      'This window did not allow copying: "wallet-companion transactions export" writes the same.',
    );
  });
  store.say('The history was copied.');
}
