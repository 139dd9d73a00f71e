import { CHROMIUM } from '../helpers/chromium.ts';
import { testsIn } from './support/browserTest.ts';
import { tillSuite } from './till.ts';

tillSuite.runIn(testsIn(CHROMIUM));
