// The page that checks receipts without a wallet, a companion and a network: one file to keep and to pass on. A link may have the receipt
// after `#`, which no server sees.

import '../live/language.ts';
import { render } from 'preact';
import { openReceipts } from '../../model/receiptOpening.ts';
import { language } from '../../texts/language.ts';
import { receiptsTexts } from '../../texts/receipts.ts';
import { Boundary } from '../parts/layout.tsx';
import { ReceiptCheck } from '../parts/receiptCheck.tsx';
import { escapeHidden } from '../parts/text.tsx';

const find = async (receipts: string, transaction: string) => openReceipts(receipts, transaction);

function draw(): void {
  const given = location.hash.slice(1);
  render(
    <>
      <header class="top">
        <h1>{receiptsTexts().aloneTitle}</h1>
      </header>
      <main class="narrow">
        <Boundary>
          <ReceiptCheck key={given} find={find} isAlone given={given} />
        </Boundary>
      </main>
    </>,
    document.body,
  );
}

escapeHidden();
document.documentElement.lang = language();
document.documentElement.dataset['theme'] = 'system';
document.title = receiptsTexts().aloneTitle;
addEventListener('hashchange', draw);
draw();
