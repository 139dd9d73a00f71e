// Entry of the process that tests the wide kernel, and then ends: it writes why the kernel is not to be used, or null.

import { findWideFault } from '@wallet-companion/shielded/kernelLoad';

process.stdout.write(JSON.stringify((await findWideFault()) ?? null));
