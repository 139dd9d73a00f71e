// The page for devices and a Ledger: a real Chromium, a real wallet, and a Ledger of our own making on WebHID.

import { ownTransparentAddresses } from '@wallet-companion/pczt/spending';
import { keysOf, PARAMS, SEED } from '@wallet-companion/pczt/test/spendingAccount';
import { firstAddress } from '@wallet-companion/zcash/addresses';
import type { FullViewingKeys } from '@wallet-companion/zcash/keys';
import { MockLedger, type MockLedgerOptions } from '../devices/mockLedger.ts';
import { plugLedger } from '../devices/pluggedLedger.ts';
import { CHROMIUM } from '../helpers/chromium.ts';
import type { Page } from '../helpers/page.ts';
import { startPaymentStory } from '../helpers/paymentStoryBed.ts';
import { PASSWORD, startWallet } from '../helpers/walletHarness.ts';
import { looksRight, testsIn } from './support/browserTest.ts';
import { proveAndSend, shieldToTheEnd } from './support/sending.ts';
import { servedWallet } from './support/servedWallet.ts';

const browserTest = testsIn(CHROMIUM);

const mayUse = (page: Page, feature: string): Promise<boolean> =>
  page.evaluate(`document.featurePolicy.allowsFeature(${JSON.stringify(feature)})`);

const isOpen = (page: Page): Promise<boolean> => page.evaluate('window.ledger.device.opened');

browserTest('a payment is signed by a Ledger, or says why it is not', async (t, page) => {
  const story = await startPaymentStory(t, { config: { own_signer: false } });
  const { payment_id: id } = await story.prepare({ zatoshi: 1_000_000 });
  const plugged = await plugLedger(page);
  const mock = (more: Partial<MockLedgerOptions> = {}) =>
    new MockLedger({ seed: SEED, params: story.params, ...more });
  const origin = await servedWallet(t, story.wallet.link);
  await page.open(`${origin}/#/pay/${id}`);
  await page.see('Bring it back');
  for (const feature of ['camera', 'hid']) t.false(await mayUse(page, feature), feature);
  await page.click("Scan the device's answer, or sign with a Ledger");
  await page.see('Sign with the Ledger');
  for (const feature of ['camera', 'hid']) t.true(await mayUse(page, feature), feature);
  t.false(await mayUse(page, 'usb'));

  const changedSignature = (ins: number, answer: Uint8Array) =>
    ins === 0x59 ? answer.map((byte, at) => (at === 40 ? byte ^ 1 : byte)) : answer;
  const cases: readonly [Partial<MockLedgerOptions>, string][] = [
    [{ statuses: { 1: 0x5515 } }, 'The Ledger is locked.'],
    [{ app: 'Bitcoin' }, 'The Zcash app is not open'],
    [{ statuses: { 88: 0x6985 } }, 'It was refused on the Ledger.'],
    [{ seed: new Uint8Array(64).fill(7) }, 'does not accept what it was sent'],
    [{ tamper: changedSignature }, 'signature'],
  ];
  for (const [more, sentence] of cases) {
    plugged.ledger = mock(more);
    await page.click('Sign with the Ledger');
    await page.until(`document.querySelector('.problem')?.innerText.includes(${JSON.stringify(sentence)})`);
    await page.until('!window.ledger.device.opened');
    t.like(await story.get(id), { status: 'prepared' });
  }
  await looksRight(t, page, 'ledger refused');

  // Unplugged in the middle.
  plugged.ledger = undefined;
  await page.click('Sign with the Ledger');
  await page.until('window.ledger.device.opened');
  await page.evaluate('window.ledger.unplug()');
  await page.see('The Ledger was disconnected.');
  t.false(await isOpen(page));

  plugged.ledger = mock();
  await page.click('Sign with the Ledger');
  await page.until(`location.pathname === '/'`);
  await page.see('Make the proofs here');
  const { missing, txid } = await story.get(id);
  t.deepEqual(
    missing.map(({ signatures }) => signatures),
    [0],
  );

  // The block of its anchor goes before it has proofs: nobody signs again.
  const { devnet } = story;
  const other = { transactions: [devnet.traffic({ ironwood: 3 })] };
  devnet.reorganise(11, [other, ...Array.from({ length: 12 }, () => ({}))]);
  await story.sync();
  await proveAndSend(page);
  await story.mine();
  await page.see('1 of 3 confirmations');
  t.like(await story.get(id), { status: 'mined', txid });
  t.deepEqual(
    page.complaints.filter((text) => !/4\d\d/.test(text)),
    [],
  );
});

browserTest('what another wallet received in the open is shielded with a Ledger', async (t, page) => {
  const story = await startPaymentStory(t, { notes: [], config: { own_signer: false } });
  const { devnet, params } = story;
  const [first] = ownTransparentAddresses(keysOf(0).transparent, 'external', { start: 0, count: 1 }, params);
  const paid = { address: first!.address, pool: 'transparent' as const, zatoshi: 150_000_000 };
  devnet.mine({ transactions: [devnet.pay([paid, paid])] });
  await story.sync();
  const { payment_id: id } = await story.wallet.call('payments.shield', { source: 'node' });
  const plugged = await plugLedger(page);
  await page.open(`${await servedWallet(t, story.wallet.link)}/#/pay/${id}`);
  await page.see('transparent: 2 signatures');
  await page.click("Scan the device's answer, or sign with a Ledger");
  await page.see('Sign with the Ledger');
  const cases: readonly [Partial<MockLedgerOptions>, string][] = [
    [{ seed: new Uint8Array(64).fill(7) }, 'signature'],
    [{ tamper: (ins, answer) => (ins === 0x55 ? answer.fill(1, 40, 41) : answer) }, 'signature'],
    [{ tamper: (ins, answer) => (ins === 0x55 ? answer.subarray(1) : answer) }, 'in a way that'],
  ];
  for (const [more, sentence] of cases) {
    plugged.ledger = new MockLedger({ seed: SEED, params, ...more });
    await page.click('Sign with the Ledger');
    await page.until(`document.querySelector('.problem')?.innerText.includes(${JSON.stringify(sentence)})`);
    await page.until('!window.ledger.device.opened');
  }
  plugged.ledger = new MockLedger({ seed: SEED, params });
  await page.click('Sign with the Ledger');
  await shieldToTheEnd(t, page, story, 300_000_000 - 20_000);
});

browserTest('an account of a Ledger is watched', async (t, page) => {
  const wallet = await startWallet(t, { config: { network: 'regtest', auto_lock_seconds: 0 } });
  t.teardown(() => wallet.stop());
  const plugged = await plugLedger(page);
  plugged.ledger = new MockLedger({ seed: SEED, params: PARAMS });
  await page.open(await servedWallet(t, wallet.link));
  await page.click("Watch a device's accounts");
  await page.type('Account on the Ledger', 'three');
  await page.click('Connect the Ledger');
  await page.see('An account is a number from 0 on.');
  await page.type('Account on the Ledger', '3');
  await page.click('Connect the Ledger');
  await page.see('Watch an account');
  t.false(await isOpen(page));
  await page.type('Birthday', '1');
  await page.type('New password', PASSWORD);
  await page.type('New password again', PASSWORD);
  await page.click('Watch it');
  await page.until(`location.pathname === '/'`);
  await page.see('Overview');
  const { unified_address: address } = await wallet.call('address.get');
  const { sapling: _, ...keys } = keysOf(3) as FullViewingKeys;
  t.is(address, firstAddress(keys, PARAMS, 0n).unifiedAddress);
  t.like(await wallet.call('wallet.device', { account: 0 }), {
    account_index: 3,
    device: { kind: 'ledger', version: '3.9.2' },
  });
  t.deepEqual(page.complaints, []);
});
