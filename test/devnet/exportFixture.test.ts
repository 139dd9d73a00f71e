import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { concatBytes, hexToBytes } from '@wallet-companion/base/bytes';
import { type ListedNote, notesOfScan } from '@wallet-companion/devnet/test/scan';
import { parseUnifiedViewingKey } from '@wallet-companion/zcash/addresses';
import { incomingKeys } from '@wallet-companion/zcash/keys';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import { type BlockRef, ReferenceDecryptor, scanBatch } from '@wallet-companion/zcash/scan';
import { decodeCompactBlock } from '@wallet-companion/zcash/test/compactDecoder';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import test from 'ava';
import { exportFixture } from './support/exportFixture.ts';

function splitDelimited(bytes: Uint8Array): Uint8Array[] {
  const messages: Uint8Array[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[offset++]!;
      length |= (byte & 0x7f) << shift;
      if (byte < 128) break;
    }
    messages.push(bytes.subarray(offset, offset + length));
    offset += length;
  }
  return messages;
}

test('an exported chain, read from its files alone, gives the notes of its expected files', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'devnet-export-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const { params } = exportFixture(folder, 'exported').story.devnet;
  const read = (name: string) => readFileSync(path.join(folder, name));
  const { accounts } = JSON.parse(read('keys.json').toString()) as { accounts: { ufvk: string }[] };
  const keys = accounts.flatMap(({ ufvk }, i) => incomingKeys(parseUnifiedViewingKey(ufvk, params), i));
  const heights = { network: params.network, ...params.activation };

  for (const branch of ['main', 'reorg']) {
    const { notes } = JSON.parse(read(`expected-${branch}.json`).toString()) as {
      notes: (ListedNote & { memoHex: string })[];
    };
    const expected = notes.map(({ memoHex, ...note }) => ({ ...note, memo: memoHex }));
    const compact = splitDelimited(read(`compact-${branch}.bin`));
    const raw = read(`raw-blocks-${branch}.hex`).toString().trim().split('\n').map(hexToBytes);
    for (const [format, messages] of [
      ['compact', compact],
      ['raw', raw],
    ] as const) {
      let treeSizes: TreeSizes = EMPTY_TREES;
      let offset = 0;
      const blocks = messages.map((message, i): BlockRef => {
        const { height, hash, prevHash, treeSizes: after } = decodeCompactBlock(compact[i]!);
        const ref = { height, hash, prevHash, offset, length: message.length, treeSizes, outputCount: 0 };
        offset += message.length;
        treeSizes = after!;
        return ref;
      });
      const batch = { format, buffer: concatBytes(...messages).buffer as ArrayBuffer, blocks };
      const found = notesOfScan(scanBatch(batch, keys, heights, new ReferenceDecryptor()));
      const wanted = format === 'raw' ? expected : expected.map((note) => ({ ...note, memo: null }));
      t.deepEqual(found, wanted, `${branch} ${format}`);
    }
  }
});
