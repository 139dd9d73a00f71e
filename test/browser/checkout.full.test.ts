import { testsIn } from '../dashboard/support/browserTest.ts';
import { CHROMIUM } from '../helpers/chromium.ts';
import { checkoutSuite } from './checkout.ts';

checkoutSuite.runIn(testsIn(CHROMIUM));
