// A scan of compact blocks with a viewing key, as JSON can say it: the same in a browser's worker and in Node.

import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import { parseUnifiedViewingKey } from '@wallet-companion/zcash/addresses';
import { txIdToHex } from '@wallet-companion/zcash/identifiers';
import { incomingKeys } from '@wallet-companion/zcash/keys';
import { MAIN } from '@wallet-companion/zcash/network';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import { scanBatch, type TrialDecryptor } from '@wallet-companion/zcash/scan';
import { packBatch } from '@wallet-companion/zcash/test/scanning';

export interface ScanInput {
  readonly viewingKey: string;
  /** Compact blocks of the main network, in hexadecimal. */
  readonly blocks: readonly string[];
  readonly treeSizes: TreeSizes;
}

export function scanNotes({ viewingKey, blocks, treeSizes }: ScanInput, decryptor: TrialDecryptor) {
  const keys = incomingKeys(parseUnifiedViewingKey(viewingKey, MAIN), 0);
  const batch = packBatch('compact', blocks.map(hexToBytes), treeSizes);
  const scanned = scanBatch(batch, keys, { network: 'main', ...MAIN.activation }, decryptor);
  return scanned.flatMap(({ notes }) =>
    notes.map(({ pool, scope, value, height, txid, position, nullifier, diversifierIndex }) => ({
      ...{ pool, scope, value, height, position },
      txid: txIdToHex(txid),
      nullifier: nullifier && bytesToHex(nullifier),
      diversifierIndex: String(diversifierIndex),
    })),
  );
}

export type Notes = ReturnType<typeof scanNotes>;
