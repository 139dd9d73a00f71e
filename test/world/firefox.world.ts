// What runs in Chromium in `npm test`, in Firefox.

import { checkoutSuite } from '../browser/checkout.ts';
import { hostileAnswersSuite } from '../browser/hostileAnswers.ts';
import { shieldedWorkerSuite } from '../browser/shieldedWorker.ts';
import { shopSuite } from '../browser/shop.ts';
import { grantsSuite } from '../dashboard/grants.ts';
import { pagesSuite } from '../dashboard/pages.ts';
import { paySuite } from '../dashboard/pay.ts';
import { testsIn } from '../dashboard/support/browserTest.ts';
import { tillSuite } from '../dashboard/till.ts';
import { walletSuite } from '../dashboard/wallet.ts';
import { walletsSuite } from '../dashboard/wallets.ts';
import { FIREFOX } from '../helpers/firefox.ts';

const inFirefox = testsIn(FIREFOX);

pagesSuite.runIn(inFirefox);
walletSuite.runIn(inFirefox);
walletsSuite.runIn(inFirefox);
paySuite.runIn(inFirefox);
tillSuite.runIn(inFirefox);
grantsSuite.runIn(inFirefox);
checkoutSuite.runIn(inFirefox);
shopSuite.runIn(inFirefox);
hostileAnswersSuite.runIn(inFirefox);
shieldedWorkerSuite.runIn(inFirefox);
