import { CHROMIUM } from '../helpers/chromium.ts';
import { testsIn } from './support/browserTest.ts';
import { walletSuite } from './wallet.ts';

walletSuite.runIn(testsIn(CHROMIUM));
