import { CHROMIUM } from '../helpers/chromium.ts';
import { pagesSuite } from './pages.ts';
import { testsIn } from './support/browserTest.ts';

pagesSuite.runIn(testsIn(CHROMIUM));
