// Entry of the process that tests the wide kernel, and then ends: it writes why the kernel is not to be used, or null.

import { findWideFault } from '@wallet-companion/kernel/kernelLoad';
import { endWithParent } from './endWithParent.ts';

// A compiler that hangs would otherwise take a core after the companion has ended.
endWithParent();
process.stdout.write(JSON.stringify((await findWideFault()) ?? null));
