// Loaded before ava: else the wide kernel would not be tested on Node 26.
import { prepareWideKernel } from '@wallet-companion/kernel/kernelProcess';

prepareWideKernel();
