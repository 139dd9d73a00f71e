// What the page for devices makes of codes and answers, without a camera and a page.

import { accountsUr, pcztUr, type Ur, urParts } from '@wallet-companion/devices/ur';
import test from 'ava';
import { Formats } from '../src/model/amounts.ts';
import { CodeScan } from '../src/model/codeScan.ts';
import { accountChoices, accountsIn, importOf, ledgerAccount } from '../src/model/pairing.ts';
import { provingText, takenText } from '../src/model/payments.ts';
import { Objection } from '../src/model/problems.ts';

const codesOf = ({ type, cbor }: Ur, count: number): string[] => {
  const parts = urParts(type, cbor, { maxFragment: 100 });
  return Array.from({ length: count }, () => parts.next().value.text);
};
const pczt = pcztUr(Uint8Array.from({ length: 600 }, (_, at) => at % 251));
const codes = codesOf(pczt, 9);

test('progress counts the parts that add something, until the message is whole', (t) => {
  const scan = new CodeScan('zcash-pczt');
  const [first, second, ...others] = codes as [string, string, ...string[]];
  t.deepEqual(scan.receive(` ${second.toUpperCase()}\n`), { read: 1, needed: 7 });
  t.deepEqual(scan.receive(second), { read: 1, needed: 7 });
  t.deepEqual(scan.receive(first), { read: 2, needed: 7 });
  const last = others.map((code) => scan.receive(code)).at(-1)!;
  t.deepEqual(last, { read: 7, needed: 7, message: pczt });
});

test('empty codes, unrelated codes and codes of another message are distinguished and change nothing', (t) => {
  const scan = new CodeScan('zcash-pczt');
  t.like(scan.receive('https://example.org'), {
    needed: 0,
    note: 'The camera sees a code that is not from a signing device.',
  });
  const accounts = accountsUr({ seedFingerprint: new Uint8Array(32), accounts: [], deviceVersion: null });
  t.regex(scan.receive(codesOf(accounts, 1)[0]!).note!, /for something else/);
  scan.receive(codes[0]!);
  const [other] = codesOf(pcztUr(new Uint8Array(600).fill(3)), 1);
  const seen = scan.receive(other!);
  t.regex(seen.note!, /two messages/);
  t.like(seen, { read: 1, needed: 7 });
  // A misread code comes again.
  t.deepEqual(scan.receive(codes[1]!.replace(/..$/, (end) => (end === 'ae' ? 'ad' : 'ae'))), {
    read: 1,
    needed: 7,
  });
  t.is(scan.receive(codes[1]!).note, undefined);
});

test('accounts of a device can be chosen by number and name', (t) => {
  const shown = (accounts: Parameters<typeof accountsUr>[0]['accounts']): Ur =>
    accountsUr({ seedFingerprint: new Uint8Array(32), accounts, deviceVersion: null });
  const accounts = [
    { ufvk: 'uview1a', index: 0, name: null },
    { ufvk: 'uview1b', index: 7, name: 'Holidays' },
  ];
  const found = accountsIn(shown(accounts));
  t.deepEqual(found.accounts, accounts);
  t.deepEqual(accountChoices(found), [
    ['0', 'Account 0'],
    ['1', 'Account 7: Holidays'],
  ]);
  const ofSeed = { device: 'keystone', seed_fingerprint: '00'.repeat(32) };
  t.deepEqual(importOf(found, '1'), { viewing_key: 'uview1b', account_index: 7, ...ofSeed });
  t.deepEqual(importOf(ledgerAccount('uview1c', 3, '3.9.2'), '0'), {
    viewing_key: 'uview1c',
    account_index: 3,
    device: 'ledger',
    device_version: '3.9.2',
  });
  t.throws(() => accountsIn(shown([])), { instanceOf: Objection, message: /no account/ });
  t.throws(() => accountsIn({ type: 'zcash-accounts', cbor: Uint8Array.of(1) }), { instanceOf: Objection });
});

test('an answer without anything new says what that means', (t) => {
  const formats = new Formats();
  const answer = { signatures_added: 0, proofs_added: 0, missing: [] } as never;
  const unsigned = { ...(answer as object), missing: [{ signatures: 1 }] } as never;
  t.is(
    takenText({ ...(answer as object), signatures_added: 2 } as never, formats),
    '2 signatures and 0 proofs were taken.',
  );
  t.throws(() => takenText(unsigned, formats), { instanceOf: Objection, message: /without a signature/ });
  t.throws(() => takenText(answer, formats), { instanceOf: Objection, message: /already/ });
});

test('the age of a proof run is shown in whole seconds, never less than none', (t) => {
  const formats = new Formats();
  const at = (now: number) =>
    provingText('2026-01-02T03:04:05Z', Date.parse('2026-01-02T03:04:05Z') + now, formats);
  t.regex(at(1_400), /for 0:01 so far/);
  t.regex(at(168_000), /for 2:48 so far/);
  t.regex(at(-5_000), /for 0:00 so far/);
});
