// A real zebrad as a source, where `npm run test:real` has installed one. It takes no blocks but those that it makes
// itself: nearly all of them hold nothing but a transparent coinbase, so this says what a block costs, not an output.
import { pathToFileURL } from 'node:url';
import type { Row } from '@wallet-companion/kernel/bench/table';
import { encodeSaplingAddress } from '@wallet-companion/zcash/addresses';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { walletKeys, walletReceivers } from '../chains/benchWallet.ts';
import { rssMebibytes, stop } from '../companionProcess.ts';
import { makeBed, removeBed, restoreWallet, startProbed, syncToTip } from './serving.ts';
import { threadNames, threadTimes, timesByRole } from './threadTimes.ts';

const BLOCKS = 500;
/** Blocks whose coinbase pays the wallet. */
const PAID = 3;
const STRANGER = 'tmJymvcUCn1ctbghvTJpXBwHiMEB8P6wxNV';

/** Undefined where none is installed. */
export async function measureZebrad(workers: number): Promise<Row[] | undefined> {
  // Benches run from the project's root.
  const { isRealNodeInstalled } = (await import(pathToFileURL('scripts/realNode.mjs').href)) as {
    isRealNodeInstalled: () => boolean;
  };
  if (!isRealNodeInstalled()) return undefined;
  const { heightsWith, IRONWOOD_HEIGHT, startZebrad } = await import('../../test/real/zebrad.ts');
  const heights = heightsWith(IRONWOOD_HEIGHT);
  const params = regtestParameters(heights);
  const address = encodeSaplingAddress(walletReceivers(walletKeys(params)).sapling, params);
  const zebrad = await startZebrad({ minerAddress: address, nu7: heights.nu7 });
  try {
    await zebrad.rpc('generate', PAID);
    await zebrad.rpc('generatetoaddress', BLOCKS - PAID, STRANGER);
    const rows: Row[] = [];
    for (const source of ['node', 'compact', 'peers'] as const) {
      const servers = { node: zebrad.url, compact: zebrad.compactUrl };
      const bed = makeBed(servers, {
        activation_heights: heights,
        ...(source === 'peers' && { peers: [zebrad.peer] }),
      });
      const companion = await startProbed(bed, workers);
      try {
        await restoreWallet(companion, 1);
        const before = threadTimes(companion.child);
        const began = performance.now();
        const { blocks, notes } = await syncToTip(companion, source);
        const seconds = (performance.now() - began) / 1000;
        if (blocks !== BLOCKS || notes !== PAID)
          throw new Error(`${notes} notes in ${blocks} blocks, not ${PAID} in ${BLOCKS}`);
        const cpu = timesByRole(before, threadTimes(companion.child), threadNames(bed.threads));
        const all = Object.values(cpu).reduce((sum, one) => sum + one, 0);
        rows.push({
          source: `zebrad, ${source}`,
          workers,
          scan: 'first',
          'blocks/s': Math.round(blocks / seconds),
          'CPU ms/block': ((all * 1000) / blocks).toFixed(2),
          'CPU s': all.toFixed(2),
          'peak RSS MiB': rssMebibytes(companion.child, 'VmHWM'),
        });
      } finally {
        await stop(companion);
        removeBed(bed);
      }
    }
    return rows;
  } finally {
    await zebrad.stop();
  }
}
