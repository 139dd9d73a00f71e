// A process of its own that serves made-up compact blocks, so that the time of the one who fetches them can be told
// apart. Prints its address when it is ready.

import { randomBytes } from 'node:crypto';
import { encodeCompactBlock } from '@wallet-companion/zcash/compactBlocks';
import { asBlockHash, asNullifier, asTxId } from '@wallet-companion/zcash/identifiers';
import { perActionPool } from '@wallet-companion/zcash/pools';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import { FixtureCompactServer } from '../test/helpers/fixtureCompactServer.ts';

const [, , first = '0', count = '0', actionsPerBlock = '0'] = process.argv;

const blocks: Uint8Array[] = [];
let prevHash = asBlockHash(randomBytes(32));
let orchard = 1;
for (let i = 0; i < Number(count); i++) {
  const hash = asBlockHash(randomBytes(32));
  const actions = Array.from({ length: Number(actionsPerBlock) }, () => ({
    nullifier: asNullifier(randomBytes(32)),
    cmx: randomBytes(32),
    ephemeralKey: randomBytes(32),
    ciphertext: randomBytes(52),
  }));
  orchard += actions.length;
  blocks.push(
    encodeCompactBlock({
      height: Number(first) + i,
      hash,
      prevHash,
      time: 1_700_000_000 + i,
      transactions:
        actions.length === 0
          ? []
          : [
              {
                index: 1,
                txid: asTxId(randomBytes(32)),
                spends: [],
                outputs: [],
                actions: { ...perActionPool(() => []), orchard: actions },
              },
            ],
      treeSizes: { ...EMPTY_TREES, sapling: 1, orchard },
    }),
  );
  prevHash = hash;
}
const server = await FixtureCompactServer.start({
  blocks,
  info: { chainName: 'main', saplingActivationHeight: 419_200n },
});
console.log(server.url);
