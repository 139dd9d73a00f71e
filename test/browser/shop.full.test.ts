import { testsIn } from '../dashboard/support/browserTest.ts';
import { CHROMIUM } from '../helpers/chromium.ts';
import { shopSuite } from './shop.ts';

shopSuite.runIn(testsIn(CHROMIUM));
