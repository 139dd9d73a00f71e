import { CHROMIUM } from '../helpers/chromium.ts';
import { paySuite } from './pay.ts';
import { testsIn } from './support/browserTest.ts';

paySuite.runIn(testsIn(CHROMIUM));
