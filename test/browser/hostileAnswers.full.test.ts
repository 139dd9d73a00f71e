import { testsIn } from '../dashboard/support/browserTest.ts';
import { CHROMIUM } from '../helpers/chromium.ts';
import { hostileAnswersSuite } from './hostileAnswers.ts';

hostileAnswersSuite.runIn(testsIn(CHROMIUM));
