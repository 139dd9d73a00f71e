import { bytesToHex } from '@wallet-companion/base/bytes';
import { noMemo, padMemo, parseMemo, textMemo } from '@wallet-companion/zcash/notes';
import test from 'ava';
import { contentView, memoBytesView } from '../../../src/actors/wallet/noteViews/receivedView.ts';

const MEMOS = [
  ['none', noMemo(), null],
  ['a text', textMemo('seven tyres'), { text: 'seven tyres' }],
  ['an empty text', padMemo(new Uint8Array(0)), { text: '' }],
  ['binary', padMemo(Uint8Array.of(0xff, 7, 8)), 'hex'],
  ['of a reserved kind', padMemo(Uint8Array.of(0xf7, 7, 8)), 'hex'],
  ['text that is not UTF-8', padMemo(Uint8Array.of(0xc3, 0x28)), 'hex'],
] as const;

for (const [name, bytes, seen] of MEMOS) {
  const expected = seen === 'hex' ? { hex: bytesToHex(bytes) } : seen;

  test(`${name}: the view of the bytes, which are wiped`, (t) => {
    const own = bytes.slice();
    t.deepEqual(memoBytesView(own), expected);
    t.true(own.every((byte) => byte === 0));
  });

  test(`${name}: the same view of the content`, (t) => {
    t.deepEqual(contentView(parseMemo(bytes.slice())), expected);
  });
}
