// `npm run bench -w @wallet-companion/kernel`: trial decryption by the reference and by the kernel, and the trees' hashes.
// Each checks its results first. What they show is in docs/inside/performance.md of the repository.
import { prepareWideKernel } from '../src/kernel/wideFlags.ts';
import { run as kernel } from './kernel.ts';
import { run as trees } from './trees.ts';
import { run as reference } from './trialDecryption.ts';

prepareWideKernel();
for (const [name, run] of Object.entries({ reference, kernel, trees })) {
  console.log(`\n== ${name}`);
  await run();
}
