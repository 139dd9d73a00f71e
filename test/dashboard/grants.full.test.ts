import { CHROMIUM } from '../helpers/chromium.ts';
import { grantsSuite } from './grants.ts';
import { testsIn } from './support/browserTest.ts';

grantsSuite.runIn(testsIn(CHROMIUM));
