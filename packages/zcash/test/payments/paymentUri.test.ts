// Payment requests against the examples of ZIP 321, its grammar clause by clause, and themselves.

import { base64urlnopad } from '@scure/base';
import { FormatError } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { firstAddress } from '../../src/zcash/address/account.ts';
import { encodeUnifiedContainer, TYPECODE } from '../../src/zcash/address/unifiedContainer.ts';
import { deriveViewingKeys } from '../../src/zcash/keys/account.ts';
import { MAIN, TEST } from '../../src/zcash/network.ts';
import {
  encodePaymentUri,
  LEAST_TRANSPARENT,
  parsePaymentUri,
  parseZecText,
  type RequestedPayment,
  recipientKind,
} from '../../src/zcash/payments/paymentUri.ts';
import { decodeBase64Url, encodeBase64Url } from '../../src/zcash/payments/paymentUriText.ts';
import { testEachCase } from '../helpers/vectors.ts';

const SAPLING = 'ztestsapling10yy2ex5dcqkclhc7z7yrnjq2z6feyjad56ptwlfgmy77dmaqqrl9gyhprdx59qgmsnyfska2kez';
const TRANSPARENT = 'tmEZhbWHTpdKMw5it8YDspUXSMGQyFwovpU';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const refuses = (t: ExecutionContext, uri: string): void =>
  void t.throws(() => parsePaymentUri(uri, TEST), { instanceOf: FormatError }, uri);

function isRefused(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}

test('the valid examples of ZIP 321 are read, and written as they stand there', (t) => {
  const simple = `zcash:${SAPLING}?amount=1&memo=VGhpcyBpcyBhIHNpbXBsZSBtZW1vLg&message=Thank%20you%20for%20your%20purchase`;
  const payment = {
    address: SAPLING,
    zatoshi: 100_000_000,
    memo: utf8('This is a simple memo.'),
    message: 'Thank you for your purchase',
  };
  t.deepEqual(parsePaymentUri(simple, TEST), [payment]);
  t.is(encodePaymentUri([payment], TEST), simple);
  const two = `zcash:?address=${TRANSPARENT}&amount=123.456&address.1=${SAPLING}&amount.1=0.789&memo.1=VGhpcyBpcyBhIHVuaWNvZGUgbWVtbyDinKjwn6aE8J-PhvCfjok`;
  const both = [
    { address: TRANSPARENT, zatoshi: 12_345_600_000 },
    {
      address: SAPLING,
      zatoshi: 78_900_000,
      memo: utf8('This is a unicode memo \u2728\u{1f984}\u{1f3c6}\u{1f389}'),
    },
  ];
  t.deepEqual(parsePaymentUri(two, TEST), both);
  t.is(encodePaymentUri(both, TEST), two);
});

test('the invalid examples of ZIP 321 are refused', (t) => {
  for (const uri of [
    `zcash:?amount=3491405.05201255&address.1=${SAPLING}&amount.1=5740296.87793245`,
    `zcash:?address=${TRANSPARENT}&amount=1&amount.1=2&address.2=${SAPLING}`,
    `zcash:?address.0=${SAPLING}&amount.0=2`,
    `zcash:?amount=1.234&amount=2.345&address=${TRANSPARENT}`,
    `zcash:?amount.1=1.234&amount.1=2.345&address.1=${TRANSPARENT}`,
    `zcash:${TRANSPARENT}?amount=1%30`,
    `zcash:${TRANSPARENT}?%61mount=1`,
    `zcash:%74${TRANSPARENT.slice(1)}?amount=1`,
    `zcash://${TRANSPARENT}?amount=1`,
    `zcash:?address=${SAPLING}&amount=5&asset_id=not@valid!chars`,
  ])
    refuses(t, uri);
});

test('amounts are read as ZIP 321 says', (t) => {
  for (const [text, zatoshi] of [
    ['50.00', 5_000_000_000],
    ['50', 5_000_000_000],
    ['050', 5_000_000_000],
    ['0.5', 50_000_000],
    ['00.500', 50_000_000],
    ['0', 0],
    ['0.00000001', 1],
    ['21000000', 2_100_000_000_000_000],
    ['20999999.99999999', 2_099_999_999_999_999],
  ] as const)
    t.is(parseZecText(text), zatoshi, text);
  for (const text of [
    '50,000.00',
    '50,00',
    '50.',
    '.5',
    '0.123456789',
    '21000000.00000001',
    '99999999999999999999',
    '',
    ' 1',
    '1 ',
    '+1',
    '-1',
    '1e3',
    '0x1',
    '1.2.3',
    '\u0661',
  ])
    t.throws(() => parseZecText(text), { instanceOf: FormatError }, text);
});

test('every rule of the grammar is held', (t) => {
  for (const uri of [
    '',
    'zcash',
    'zcash:',
    'zcash:?',
    'zcash:?&&',
    `bitcoin:${SAPLING}`,
    ` zcash:${SAPLING}`,
    `zcash:${SAPLING} `,
    `zcash:${SAPLING}\n`,
    `zcash:${SAPLING}#fragment`,
    `zcash:${SAPLING}/`,
    `zcash:${SAPLING}?amount`,
    `zcash:${SAPLING}?amount=`,
    `zcash:${SAPLING}?address=${SAPLING}`,
    `zcash:${SAPLING}?address=`,
    `zcash:?address=`,
    `zcash:${SAPLING}?Amount=1`,
    `zcash:${SAPLING}?AMOUNT=1`,
    `zcash:${SAPLING}?amount.01=1`,
    `zcash:${SAPLING}?amount.=1`,
    `zcash:?address.10000=${SAPLING}`,
    `zcash:${SAPLING}?amount=1?amount=2`,
    `zcash:${SAPLING}?req-future=1`,
    `zcash:${SAPLING}?req-future`,
    `zcash:${SAPLING}?Req-future=1`,
    `zcash:${SAPLING}?asset_id=${'A'.repeat(88)}`,
    `zcash:${SAPLING}?other=a=b`,
    `zcash:${SAPLING}?other=1&other=1`,
    `zcash:${SAPLING}?1other=1`,
    `zcash:${SAPLING}?=1`,
    `zcash:${SAPLING}?label=a b`,
    `zcash:${SAPLING}?label=%`,
    `zcash:${SAPLING}?label=%zz`,
    `zcash:${SAPLING}?label=%ff`,
    `zcash:${SAPLING}?label=\u00e9`,
    `zcash:${SAPLING}?label="`,
    `zcash:${SAPLING}?memo=VGhpcw==`,
    `zcash:${SAPLING}?memo=+/`,
    `zcash:${SAPLING}?memo=A`,
    // Bits beyond the last byte.
    `zcash:${SAPLING}?memo=VGhpcx`,
    `zcash:${SAPLING}?memo=VGhp cw`,
    `zcash:${SAPLING}?memo=VGhpcw%3D`,
    `zcash:${SAPLING}?memo=${Buffer.alloc(513).toString('base64url')}`,
    `zcash:${TRANSPARENT}?memo=VGhpcw`,
    `zcash:${SAPLING.slice(0, -1)}q`,
  ])
    refuses(t, uri);
  for (const uri of [
    `ZCASH:${SAPLING}`,
    `ZCASH:${SAPLING.toUpperCase()}`,
    `zcash:${SAPLING}?`,
    `zcash:${SAPLING}?&`,
    `zcash:?address=${SAPLING}`,
    `zcash:?&address.9999=${SAPLING}&`,
    `zcash:${SAPLING}?other=1&other.1=%C3%A9&an+o-ther`,
  ])
    t.deepEqual(parsePaymentUri(uri, TEST), [{ address: SAPLING }], uri);
  t.deepEqual(parsePaymentUri(`zcash:${SAPLING}?label=a%20%2B%26b!$'()*+,;:@&memo=`, TEST), [
    { address: SAPLING, label: "a +&b!$'()*+,;:@", memo: new Uint8Array() },
  ]);
});

test('payments come in the order of their indices, wherever they stand', (t) => {
  const uri = `zcash:?amount.12=2&address.2=${TRANSPARENT}&address.12=${SAPLING}&address=${SAPLING}&amount.2=1`;
  t.deepEqual(parsePaymentUri(uri, TEST), [
    { address: SAPLING },
    { address: TRANSPARENT, zatoshi: 100_000_000 },
    { address: SAPLING, zatoshi: 200_000_000 },
  ]);
});

test('a memo of 512 bytes fits, and a transparent recipient takes none', (t) => {
  const memo = new Uint8Array(512).fill(0xff);
  t.deepEqual(parsePaymentUri(encodePaymentUri([{ address: SAPLING, memo }], TEST), TEST), [
    { address: SAPLING, memo },
  ]);
  for (const payment of [
    { address: SAPLING, memo: new Uint8Array(513) },
    { address: TRANSPARENT, memo: new Uint8Array() },
    { address: 'nobody' },
    { address: SAPLING, label: '\ud800' },
  ])
    t.throws(() => encodePaymentUri([payment], TEST), { instanceOf: FormatError });
  t.throws(() => encodePaymentUri([], TEST), { instanceOf: FormatError });
});

test('memos are encoded in parts as the codec encodes them whole, and what it refuses is refused', (t) => {
  for (let length = 0; length <= 200; length++) {
    const memo = Uint8Array.from({ length }, (_, i) => (i * 151 + length) & 0xff);
    const text = base64urlnopad.encode(memo);
    t.is(encodeBase64Url(memo), text);
    t.deepEqual(decodeBase64Url(text), memo);
    for (const wrong of [`${text}A`, `${text}=`, `${text.slice(0, -1)}_`, `+${text}`]) {
      if (isRefused(() => base64urlnopad.decode(wrong)))
        t.throws(() => decodeBase64Url(wrong), { instanceOf: FormatError });
      else t.deepEqual(decodeBase64Url(wrong), base64urlnopad.decode(wrong));
    }
  }
});

test('addresses of another network, and Sprout ones, are no recipients', (t) => {
  t.is(recipientKind(SAPLING, TEST), 'shielded');
  t.is(recipientKind(TRANSPARENT, TEST), 'transparent');
  for (const address of [SAPLING, TRANSPARENT])
    t.throws(() => recipientKind(address, MAIN), { instanceOf: FormatError }, address);
  const sprout =
    'zcU1Cd6zYyZCd2VJF8yKgmzjxdiiU1rgTTjEwoN1CGUWCziPkUTXUjXmX7TMqdMNsTfuiGN1jQoVN4kGxUR4sAPN4XZ7pxb';
  t.throws(() => recipientKind(sprout, MAIN), { instanceOf: FormatError });
});

interface TexCase {
  readonly t_addr: string;
  readonly tex_addr: string;
}

testEachCase<TexCase>('zip_0320', 'transparent recipients', (t, { t_addr: plain, tex_addr: tex }) => {
  t.is(recipientKind(plain, MAIN), 'transparent');
  t.is(recipientKind(tex, MAIN), 'transparent');
  t.throws(() => recipientKind(`${tex.slice(0, -1)}${tex.endsWith('q') ? 'p' : 'q'}`, MAIN));
  t.throws(() => recipientKind(`${plain.slice(0, -1)}${plain.endsWith('1') ? '2' : '1'}`, MAIN));
});

test('what was encoded is read back, whatever it was', (t) => {
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const text = fc.string({ unit: 'binary', maxLength: 40 });
  const payment = fc
    .record({
      address: fc.constantFrom(SAPLING, TRANSPARENT),
      zatoshi: optional(fc.integer({ min: 0, max: 2_100_000_000_000_000 })),
      memo: optional(fc.uint8Array({ maxLength: 512 })),
      label: optional(text),
      message: optional(text),
    })
    .map(({ memo, ...rest }): RequestedPayment => {
      const { zatoshi } = rest;
      const fitting =
        rest.address === SAPLING
          ? { memo }
          : { zatoshi: zatoshi === undefined ? zatoshi : Math.max(zatoshi, LEAST_TRANSPARENT) };
      const given = Object.entries({ ...rest, ...fitting });
      return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as never;
    });
  fc.assert(
    fc.property(fc.array(payment, { minLength: 1, maxLength: 4 }), (payments) => {
      const uri = encodePaymentUri(payments, TEST);
      t.regex(uri, /^zcash:[A-Za-z0-9?&=._~!$'()*+,;:@%-]*$/);
      t.deepEqual(parsePaymentUri(uri, TEST), payments);
    }),
    { numRuns: runs(60, 300) },
  );
});

test('no text makes the parser throw anything else', (t) => {
  const pieces = [
    'zcash:',
    SAPLING,
    '?',
    '&',
    '=',
    'amount',
    'memo',
    'label',
    '.',
    '1',
    '0',
    '%',
    'é',
    'req-',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 14 }), (parts) => {
      try {
        parsePaymentUri(`zcash:${parts.join('')}`, TEST);
      } catch (error) {
        t.true(error instanceof FormatError);
      }
    }),
    { numRuns: runs(100, 500) },
  );
});

test('a unified address takes memos by its shielded receivers', (t) => {
  const { unifiedAddress } = firstAddress(deriveViewingKeys(new Uint8Array(32).fill(3), MAIN, 0), MAIN, 0n);
  t.is(recipientKind(unifiedAddress, MAIN), 'shielded');
  const items = [{ typecode: TYPECODE.p2pkh, value: new Uint8Array(20) }];
  const transparentOnly = encodeUnifiedContainer(MAIN.hrp.transparentCapableAddress, items);
  t.is(recipientKind(transparentOnly, MAIN), 'transparent');
});
