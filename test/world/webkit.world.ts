// What runs in Chromium in `npm test`, in WebKitGTK's browser. The suite hostileAnswers needs a script that runs before those of
// the page, which WebDriver has not.

import { checkoutSuite } from '../browser/checkout.ts';
import { shieldedWorkerSuite } from '../browser/shieldedWorker.ts';
import { shopSuite } from '../browser/shop.ts';
import { grantsSuite } from '../dashboard/grants.ts';
import { pagesSuite } from '../dashboard/pages.ts';
import { paySuite } from '../dashboard/pay.ts';
import { testsIn } from '../dashboard/support/browserTest.ts';
import { tillSuite } from '../dashboard/till.ts';
import { walletSuite } from '../dashboard/wallet.ts';
import { walletsSuite } from '../dashboard/wallets.ts';
import { WEBKIT } from '../helpers/webkit.ts';

const inWebKit = testsIn(WEBKIT);

const LANGUAGE = 'WebKitGTK has the language of its start';
const MOTION = 'its preferences are those of the desktop';
const RUN_FIRST = 'WebDriver runs no script before those of a page';

pagesSuite.runIn(inWebKit, { 'numbers and dates are written as the reader is used to': LANGUAGE });
walletSuite.runIn(inWebKit);
walletsSuite.runIn(inWebKit);
paySuite.runIn(inWebKit, { 'where less motion is wanted, each code waits for a button': MOTION });
tillSuite.runIn(inWebKit, {
  'a browser that speaks de-CH reads: Mit der Wallet scannen': LANGUAGE,
  'a browser that speaks es reads: Escanéelo con su monedero': LANGUAGE,
  'a browser that speaks fr reads: Scan this with your wallet': LANGUAGE,
});
grantsSuite.runIn(inWebKit, {
  "with the owner's code the page is as ever, and nothing but its memory has the token": RUN_FIRST,
  'a program gets a grant, a new token, and loses both': 'WebDriver does not tell the history of a tab',
});
checkoutSuite.runIn(inWebKit, {
  'it speaks the language of the browser, of the page, and the words of the shop': LANGUAGE,
});
shopSuite.runIn(inWebKit);
shieldedWorkerSuite.runIn(inWebKit);
