import { CHROMIUM } from '../helpers/chromium.ts';
import { testsIn } from './support/browserTest.ts';
import { walletsSuite } from './wallets.ts';

walletsSuite.runIn(testsIn(CHROMIUM));
