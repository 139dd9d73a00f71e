// `--scan`: the account that a device shows as moving QR codes, as a scanner writes them down, becomes the wallet's.

import fs from 'node:fs';
import path from 'node:path';
import { bytesToHex } from '@wallet-companion/base/bytes';
import {
  accountsUr,
  type DeviceAccounts,
  pcztUr,
  type Ur,
  UrReader,
  urCode,
  urParts,
} from '@wallet-companion/devices/ur';
import { FINGERPRINT, keysOf, PARAMS } from '@wallet-companion/pczt/test/spendingAccount';
import { encodeUnifiedViewingKey } from '@wallet-companion/zcash/addresses';
import { readVectors } from '@wallet-companion/zcash/test/readVectors';
import test, { type ExecutionContext } from 'ava';
import jpeg from 'jpeg-js';
import { qrPng } from '../../src/qr/qrCode.ts';
import { CliProcess, secretFile, temporaryFolder } from '../helpers/cliProcess.ts';
import { PASSWORD, startWallet } from '../helpers/walletHarness.ts';

interface Case {
  readonly name: string;
  readonly type: string;
  readonly value: {
    readonly seed_fingerprint: string;
    readonly accounts: readonly { ufvk: string; index: number; name: string | null }[];
    readonly device_version: string | null;
  };
  readonly simple_parts: number;
  readonly parts: readonly string[];
}

const vectors = readVectors<{ cases: readonly Case[] }>('ur_devices').cases.filter(
  ({ type }) => type === 'zcash-accounts',
);

const IMPORT = ['wallet', 'import-viewing-key', '--birthday-height', '1', '--scan'];

/** The texts of all parts in a file, and the answer of the command that reads it. */
async function scan(t: ExecutionContext, codes: readonly string[], ...flags: string[]) {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'scanned.txt');
  fs.writeFileSync(file, codes.join('\n'));
  const cli = new CliProcess();
  const run = await cli.run(
    ...IMPORT,
    file,
    ...flags,
    '--password-file',
    secretFile(folder, 'password', PASSWORD),
  );
  return { ...run, input: cli.link.calls[0]?.input as Record<string, unknown> | undefined };
}

function codesOf({ type, cbor }: Ur): string[] {
  const reader = new UrReader();
  const codes: string[] = [];
  for (const { text } of urParts(type, cbor, { maxFragment: 200 })) {
    codes.push(text);
    reader.receive(text);
    if (reader.message !== undefined) return codes;
  }
  return codes;
}

const account = (index: number, name: string | null = null) => ({
  ufvk: encodeUnifiedViewingKey(keysOf(index), PARAMS),
  index,
  name,
});
const shown = (accounts: DeviceAccounts['accounts'], deviceVersion: string | null = null): string[] =>
  codesOf(accountsUr({ seedFingerprint: FINGERPRINT, accounts, deviceVersion }));

for (const { name, value, parts, simple_parts: simple } of vectors)
  for (const { ufvk, index, name: called } of value.accounts)
    test(`the codes of a device's own crate (${name}): account ${index}, in any order`, async (t) => {
      const codes = parts.slice(0, simple).reverse();
      const { code, stderr, input } = await scan(t, codes, '--account-index', String(index));
      t.is(code, 0, stderr);
      const { viewing_key, account_index, seed_fingerprint, name: kept, device, device_version } = input!;
      t.deepEqual(
        { viewing_key, account_index, seed_fingerprint, kept, device, device_version },
        {
          viewing_key: ufvk,
          account_index: index,
          seed_fingerprint: value.seed_fingerprint,
          kept: called ?? undefined,
          device: 'keystone',
          device_version: value.device_version ?? undefined,
        },
      );
    });

test('one account needs no choice, and flags precede the content of the codes', async (t) => {
  const { code, stderr, input } = await scan(
    t,
    shown([account(7, 'Savings')], 'v13.0.2'),
    '--device',
    'other',
    '--name',
    'Mine',
  );
  t.is(code, 0, stderr);
  t.like(input, { account_index: 7, device: 'other', device_version: '13.0.2', name: 'Mine' });
});

test('one of several is not guessed', async (t) => {
  const codes = shown([account(0, 'Sav\u202eings'), account(7)]);
  for (const flags of [[], ['--account-index', '3']]) {
    const { code, stderr, input } = await scan(t, codes, ...flags);
    t.is(code, 2);
    t.regex(stderr, /shows the accounts 0 \(Savings\), 7\. Choose one with --account-index/);
    t.is(input, undefined);
  }
});

for (const [what, codes, says] of [
  ['one account twice', shown([account(0), account(0)]), /--scan has QR codes with one account twice/],
  ['no account', shown([]), /--scan has QR codes without an account/],
  ['a payment', codesOf(pcztUr(new Uint8Array(300))), /zcash-pczt and not zcash-accounts/],
  ['too few', shown([account(0)]).slice(1), /has \d of the \d QR codes/],
  ['something else', ['https://example.org'], /no uniform resource/],
  [
    'a short fingerprint',
    codesOf(accountsUr({ seedFingerprint: new Uint8Array(31), accounts: [account(0)], deviceVersion: null })),
    /no zcash-accounts as devices write it/,
  ],
] as const)
  test(`refused with what to do: ${what}`, async (t) => {
    const { code, stderr } = await scan(t, codes);
    t.is(code, 2);
    t.regex(stderr, says);
  });

test('a name is kept without what turns text around, or not at all', async (t) => {
  for (const [called, kept] of [
    ['Sav\u202eings', 'Savings'],
    ['\u200b \u2066', undefined],
    ['x'.repeat(300), 'x'.repeat(256)],
  ] as const) {
    const { code, stderr, input } = await scan(t, shown([account(0, called)]));
    t.is(code, 0, stderr);
    t.is(input!['name'], kept);
  }
});

/** Four points to a module. */
function pixelsOf(modules: readonly (readonly boolean[])[]) {
  const size = modules.length * 4;
  const data = Buffer.alloc(size * size * 4, 255);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++)
      if (modules[y >> 2]![x >> 2]) data.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3);
  return { width: size, height: size, data };
}

const pngOf = (text: string): Buffer => Buffer.from(qrPng(urCode(text)));
const empty = { width: 64, height: 64, data: Buffer.alloc(64 * 64 * 4, 255) };
const jpegOf = (text: string): Buffer => jpeg.encode(pixelsOf(urCode(text)), 80).data;

/** Each file is one `--scan`. */
async function scanPictures(t: ExecutionContext, pictures: readonly Buffer[]) {
  const folder = temporaryFolder(t);
  const files = pictures.map((bytes, at) => {
    const file = path.join(folder, String(at));
    fs.writeFileSync(file, bytes);
    return file;
  });
  const cli = new CliProcess();
  const password = secretFile(folder, 'password', PASSWORD);
  const run = await cli.run(...IMPORT, ...files.join(' --scan ').split(' '), '--password-file', password);
  return { ...run, input: cli.link.calls[0]?.input as Record<string, unknown> | undefined };
}

test('a picture of each code, PNG or JPEG, does as well as its text', async (t) => {
  const codes = shown([account(7, 'Savings')]);
  t.true(codes.length > 2);
  const pictures = codes.map((text, at) => (at % 2 === 0 ? pngOf(text) : jpegOf(text)));
  const { code, stderr, input } = await scanPictures(t, pictures);
  t.is(code, 0, stderr);
  t.like(input, { account_index: 7, name: 'Savings', viewing_key: account(7).ufvk });
});

test('a folder of pictures, as a video is taken apart into, does as well', async (t) => {
  const folder = path.join(temporaryFolder(t), 'frames');
  fs.mkdirSync(path.join(folder, 'more'), { recursive: true });
  // Each code stays for two pictures, and between two codes there is one that nobody can read.
  const frames = shown([account(7)]).flatMap((text) => [
    pngOf(text),
    pngOf(text),
    jpeg.encode(empty, 80).data,
  ]);
  for (const [at, bytes] of frames.entries()) fs.writeFileSync(path.join(folder, `${at}.png`), bytes);
  fs.writeFileSync(path.join(folder, 'notes.txt'), 'ur:bytes/aeadaolazmjendeoti');
  const { code, stderr, input } = await scanFolder(t, folder);
  t.is(code, 0, stderr);
  t.like(input, { account_index: 7, viewing_key: account(7).ufvk });

  const none = path.join(folder, 'more');
  const refused = await scanFolder(t, none);
  t.is(refused.code, 2);
  t.is(
    refused.stderr,
    'error: The folder of scan has no picture in which a QR code can be read. (INVALID_REQUEST)\n',
  );
  for (let at = 0; at <= 3_000; at++) fs.writeFileSync(path.join(none, String(at)), '');
  t.regex((await scanFolder(t, none)).stderr, /The folder of scan has more than 3000 files/);
});

async function scanFolder(t: ExecutionContext, folder: string) {
  const cli = new CliProcess();
  const password = secretFile(temporaryFolder(t), 'password', PASSWORD);
  const run = await cli.run(...IMPORT, folder, '--password-file', password);
  return { ...run, input: cli.link.calls[0]?.input as Record<string, unknown> | undefined };
}

const [first] = shown([account(0)]) as [string];
/** Says that it is as large as can be. */
const vast = Buffer.from(pngOf(first));
vast.writeUInt32BE(0x7fffffff, 16);
vast.writeUInt32BE(0x7fffffff, 20);

for (const [what, picture] of [
  ['a PNG that is cut off', pngOf(first).subarray(0, 200)],
  ['nothing but its first bytes', pngOf(first).subarray(0, 8)],
  ['a PNG of a vast size', vast],
  ['a JPEG that is cut off', jpegOf(first).subarray(0, 20)],
  ['one without a code', jpeg.encode(empty, 80).data],
] as const)
  test(`a picture is refused: ${what}`, async (t) => {
    const { code, stderr } = await scanPictures(t, [picture]);
    t.is(code, 2);
    t.is(stderr, 'error: The file of scan is a picture in which no QR code can be read. (INVALID_REQUEST)\n');
  });

test('a key comes from one place', async (t) => {
  const key = secretFile(temporaryFolder(t), 'key', account(0).ufvk);
  const { code, stderr } = await scan(t, shown([account(0)]), '--viewing-key-file', key);
  t.is(code, 2);
  t.regex(stderr, /--scan cannot be given beside --viewing-key-file/);
});

test('two accounts of a device, one after the other, in one wallet', async (t) => {
  const wallet = await startWallet(t, { config: { network: 'regtest' } });
  t.teardown(() => wallet.stop());
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'scanned.txt');
  fs.writeFileSync(file, shown([account(1, 'Savings'), account(7)], '3.0.2').join('\n'));
  const password = secretFile(folder, 'password', PASSWORD);
  const run = (...words: string[]) =>
    new CliProcess({ behind: wallet.link }).run(...words, '--scan', file, '--password-file', password);
  const first = await run('wallet', 'import-viewing-key', '--account-index', '1', '--birthday-height', '1');
  t.is(first.code, 0, first.stderr);
  const second = await run('accounts', 'import-viewing-key', '--account-index', '7');
  t.is(second.code, 0, second.stderr);
  const { accounts, seed_fingerprint } = await wallet.call('accounts.list');
  t.is(seed_fingerprint, bytesToHex(FINGERPRINT));
  t.deepEqual(
    accounts.map(({ account: number, name, account_index }) => [number, name, account_index]),
    [
      [0, 'Savings', 1],
      [1, null, 7],
    ],
  );
  t.deepEqual((await wallet.call('wallet.status')).device, { kind: 'keystone', version: '3.0.2' });
});
