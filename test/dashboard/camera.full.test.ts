// The page for devices and a camera: a real Chromium with a fake camera, a real wallet, and a Keystone of our own making.

import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { accountsUr, pcztUr, type Ur, UrReader, urParts } from '@wallet-companion/devices/ur';
import { decodePczt, encodePczt } from '@wallet-companion/pczt/pczt';
import { ownTransparentAddresses } from '@wallet-companion/pczt/spending';
import { FINGERPRINT, keysOf, PARAMS, SEED } from '@wallet-companion/pczt/test/spendingAccount';
import { encodeUnifiedViewingKey, firstAddress } from '@wallet-companion/zcash/addresses';
import test, { type ExecutionContext } from 'ava';
import type { Link } from '../../src/protocol/link.ts';
import { cameraFlags, mirrored, writeVideo } from '../devices/fakeCamera.ts';
import { KeystoneCamera, keystoneAnswer } from '../devices/mockKeystone.ts';
import { keystoneBatchAnswer } from '../devices/mockKeystoneBatch.ts';
import { CHROMIUM, type ChromiumPage } from '../helpers/chromium.ts';
import type { Page } from '../helpers/page.ts';
import { startPaymentStory } from '../helpers/paymentStoryBed.ts';
import { decoded, modulesOfPath } from '../helpers/qrReading.ts';
import { PASSWORD, startWallet } from '../helpers/walletHarness.ts';
import { looksRight, testsIn } from './support/browserTest.ts';
import { shieldToTheEnd } from './support/sending.ts';
import { servedWallet } from './support/servedWallet.ts';

const video = path.join(tmpdir(), `companion-camera-${process.pid}.y4m`);
const browserTest = testsIn(CHROMIUM, cameraFlags(video));
// Without a file there is no camera.
writeVideo(video, ['NOTHING']);
test.after.always(() => rmSync(video, { force: true }));

const HOSTILE = '<img src=x onerror="window.stolen=1">\u202eSavings';
const OTHER_SEED = new Uint8Array(64).fill(7);

async function serve(t: ExecutionContext, page: ChromiumPage, link: Link): Promise<string> {
  const origin = await servedWallet(t, link);
  await mayUseCamera(page, origin, 'granted');
  return origin;
}

const mayUseCamera = (page: ChromiumPage, origin: string, setting: 'granted' | 'denied'): Promise<unknown> =>
  page.send('Browser.setPermission', {
    origin,
    permission: { name: 'camera' },
    setting,
    browserContextId: page.context,
  });

/** The codes of a message from its `from`-th on, without every fifth. */
function codesOf({ type, cbor }: Ur, count: number, from = 0): string[] {
  const parts = urParts(type, cbor, { maxFragment: 200 });
  return Array.from({ length: from + count }, () => parts.next().value.text).filter(
    (_, at) => at >= from && at % 5 !== 2,
  );
}

/** Remembers every stream that the page was given. */
const watchCamera = (page: Page): Promise<unknown> =>
  page.evaluate(`window.streams = []; navigator.mediaDevices.getUserMedia = async (wanted) => {
    const stream = await MediaDevices.prototype.getUserMedia.call(navigator.mediaDevices, wanted);
    streams.push(stream);
    return stream;
  };`);
const isCameraOn = (page: Page): Promise<boolean> =>
  page.evaluate('window.streams.some((stream) => stream.active)');

/** The page turns it off once it has drawn what it says. */
const CAMERA_OFF = 'window.streams.every((stream) => !stream.active)';

browserTest('a payment goes to a Keystone as codes and comes back by the camera', async (t, page) => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const story = await startPaymentStory(t, { meanwhileProved: () => held, config: { own_signer: false } });
  const { pczt, payment_id: id, expiry_height: expiry } = await story.prepare({ zatoshi: 1_000_000 });
  const origin = await serve(t, page, story.wallet.link);
  const params = story.params;

  const view = await story.signerView(id);
  const total = Math.ceil((Buffer.from(view.pczt, 'base64').length + 5) / 300);

  // To the device: the page's codes, as the device sees them.
  await page.open(`${origin}/#/pay/${id}`);
  await page.click('Show as moving codes');
  // The device waits for no code that it has missed, so each one waits for it.
  await page.click('Pause');
  await page.choose('Size of the codes', '300');
  const camera = new KeystoneCamera();
  let given: Uint8Array | undefined;
  for (let part = 1; given === undefined; part++) {
    if (part > 1) await page.click('Next code');
    await page.see(`Part ${part} of ${total}`);
    const [outline, size] = await page.evaluate<[string, number]>(
      `[document.querySelector('.moving path').getAttribute('d'), document.querySelector('.moving svg').viewBox.baseVal.width]`,
    );
    given = camera.see(decoded(modulesOfPath(outline, size)));
  }
  t.deepEqual(Buffer.from(given), Buffer.from(view.pczt, 'base64'));
  t.not(view.pczt, pczt);
  t.throws(() => keystoneAnswer(given, { seed: SEED, params, firmware: [3, 0, 0] }));
  const answer = keystoneAnswer(given, { seed: SEED, params });

  // Refused by the person, then no camera.
  await mayUseCamera(page, origin, 'denied');
  await page.click("Scan the device's answer, or sign with a Ledger");
  await page.see("The device's answer");
  await looksRight(t, page, 'device');
  await watchCamera(page);
  await page.click("Scan the device's answer");
  await page.see('The browser does not let this page use the camera');
  await page.see('can also be taken as a file');
  await mayUseCamera(page, origin, 'granted');

  // Half-way lost: the same three codes for ever.
  const codes = codesOf(pcztUr(answer), 60);
  writeVideo(video, codes.slice(0, 3));
  await page.click("Scan the device's answer");
  await page.see('3 of ');
  t.true(await isCameraOn(page));
  await looksRight(t, page, 'camera');
  await page.click('Turn the camera off');
  await page.until(CAMERA_OFF);

  // Two devices at once.
  const unsigned = keystoneAnswer(given, { seed: OTHER_SEED, params });
  const others = codesOf(pcztUr(unsigned), 60);
  writeVideo(video, [...codes.slice(0, 4).flatMap((code, at) => [code, others[at]!]), codes[4]!]);
  await page.click("Scan the device's answer");
  await page.see('codes of two messages');
  t.like(await story.get(id), { status: 'prepared' });

  // Another device: the payment as it was sent.
  writeVideo(video, others, 1);
  await page.click('Begin again');
  await page.see('without a signature');
  await page.until(CAMERA_OFF);

  // A device that changes the payment.
  const { pczt: changed, encoding } = decodePczt(answer);
  const hostile = encodePczt({ ...changed, global: { ...changed.global, expiryHeight: 0 } }, encoding);
  writeVideo(video, codesOf(pcztUr(hostile), 60), 1);
  await page.click("Scan the device's answer");
  await page.see('The signer changed until when the transaction can be mined.');
  t.like(await story.get(id), { status: 'prepared' });

  // The right one, from its middle on. Its proofs were begun with the codes, and this page was loaded anew since.
  writeVideo(video, codesOf(pcztUr(answer), 60, 4), 1);
  await page.click("Scan the device's answer");
  await page.until(`location.pathname === '/'`);
  await page.see('The proofs are being made here');
  await looksRight(t, page, 'proving');
  release();
  await page.until(`[...document.querySelectorAll('button')].some((one) => one.textContent === 'Send')`);
  t.like(await story.get(id), { status: 'complete', missing: [] });

  // Sent, mined, taken out by a reorganisation, mined again.
  await page.click('Send');
  await page.see('The node has taken it.');
  await story.mine();
  await page.see('1 of 3 confirmations');
  story.devnet.reorganise(1);
  story.devnet.mine({ takesSent: false });
  await story.sync();
  await page.see('Can be mined until');
  await story.mine(3);
  await page.see('Confirmed');

  // Another one is left alone until its last block.
  await story.prepare({ zatoshi: 2_000_000 });
  const other = `[...document.querySelectorAll('.payments button')].find((one) => one.innerText.includes('0.02'))`;
  await page.until(other);
  await page.evaluate(`${other}.click()`);
  await page.see('Take it to the signer');
  while (story.devnet.tip.height <= expiry + 100) story.devnet.mine({ takesSent: false });
  await story.sync();
  await page.see('Expired: its notes are free again');
  t.deepEqual(
    page.complaints.filter((text) => !/4\d\d/.test(text)),
    [],
  );
});

browserTest('a refund is paid to the address on the screen of a customer', async (t, page) => {
  const story = await startPaymentStory(t, {
    notes: [
      ['ironwood', 100_000_000],
      ['ironwood', 100_000_000],
    ],
  });
  const { call, devnet, other } = story;
  const { address } = await call('invoices.create', { amount: '0.5', confirmations: 1, reference: 'A-17' });
  const written = story.addressOf(8);
  devnet.payTo(address, { pool: 'ironwood', zatoshi: 50_000_000n, memo: `Thanks!\nReply-To: ${written}` });
  await story.sync();
  const origin = await serve(t, page, story.wallet.link);
  const open = async (shown: string) => {
    await page.open(`${origin}/#/till`);
    const latest = `document.querySelector('.sales button')`;
    await page.until(latest);
    await page.evaluate(`${latest}.click()`);
    await page.see(shown);
    await page.click('Refund');
    await page.see('Address of the customer');
    await looksRight(t, page, `till with ${shown}`);
    const link = `[...document.links].find((one) => one.href.includes('/device'))`;
    await page.evaluate(`${link}.click()`);
    await page.until(`location.pathname === '/device'`);
    await page.see('Prepare the refund');
  };
  const hasAddress = (wanted: string) =>
    page.until(`document.querySelector('input[name=address]')?.value === ${JSON.stringify(wanted)}`);

  // By the memo, then by the camera.
  await open('Paid and confirmed');
  await page.see('Anybody who pays can write one');
  await page.click('Use this address');
  await hasAddress(written);
  await looksRight(t, page, 'refund');
  writeVideo(video, ['HTTPS://EXAMPLE.ORG']);
  await page.click('Scan it with the camera');
  await page.see('a code that has no address');
  await page.click('Turn the camera off');
  writeVideo(video, [`zcash:${other}?amount=9`], 1);
  await page.click('Scan it with the camera');
  await hasAddress(other);
  await page.type('Amount', '0.2');
  await page.click('Prepare the refund');

  await page.until(`location.pathname === '/'`);
  await page.see('Refunds');
  await page.see(other);
  await page.type('Password', PASSWORD);
  await page.click('Sign and send');
  await page.see('The node has taken it.');
  await story.mine();
  await open('refunded');
  await page.see('Empty: all of it, 0.30');
  await page.type('Address of the customer', other);
  await page.type('Amount', '0.31');
  await page.click('Prepare the refund');
  await page.see('Of the 0.5 ZEC that came for the invoice, 0.2 ZEC were refunded');
});

browserTest('the accounts of a Keystone are scanned, and one of them is watched', async (t, page) => {
  const wallet = await startWallet(t, { config: { network: 'regtest', auto_lock_seconds: 0 } });
  t.teardown(() => wallet.stop());
  const origin = await serve(t, page, wallet.link);
  const accounts = [0, 3].map((index) => ({
    ufvk: encodeUnifiedViewingKey(keysOf(index), PARAMS),
    index,
    name: index === 0 ? HOSTILE : null,
  }));
  const shown = accountsUr({ seedFingerprint: FINGERPRINT, accounts, deviceVersion: '13.0.2' });

  await page.open(origin);
  await page.click("Watch a device's accounts");
  await page.see('By camera');
  await looksRight(t, page, 'device to pair');
  await watchCamera(page);
  // A code of something else, then the accounts.
  writeVideo(video, ['HTTPS://EXAMPLE.ORG']);
  await page.click("Scan the device's accounts");
  await page.see('a code that is not from a signing device');
  await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`);
  await page.see('turned off because the page was hidden');
  await page.evaluate('delete document.hidden');
  await page.until(CAMERA_OFF);
  writeVideo(video, codesOf(shown, 20), 1);
  await page.click("Scan the device's accounts");
  await page.see('Watch an account');
  await looksRight(t, page, 'account');
  await page.choose('Account', '1');
  await page.type('Birthday', '1');
  await page.type('New password', PASSWORD);
  await page.type('New password again', PASSWORD);
  await page.click('Watch it');
  await page.until(`location.pathname === '/'`);
  await page.see('Overview');
  const { unified_address: address } = await wallet.call('address.get');
  t.is(address, firstAddress(keysOf(3), PARAMS, 0n).unifiedAddress);
  t.like(await wallet.call('wallet.device', { account: 0 }), {
    account_index: 3,
    seed_fingerprint: Buffer.from(FINGERPRINT).toString('hex'),
    device: { kind: 'keystone', version: '13.0.2' },
  });

  // Another one of the same device, in pictures that the first reader of codes does not read.
  writeVideo(video, codesOf(shown, 20), 1, mirrored);
  await page.click('Settings');
  await page.click('Watch another of its accounts');
  await page.click("Scan the device's accounts");
  await page.see('Watch one account more');
  await looksRight(t, page, 'account more');
  await page.choose('Account', '0');
  await page.type('Birthday', '1');
  await page.type('Password', PASSWORD);
  await page.click('Watch it');
  await page.until(`location.pathname === '/'`);
  await page.see('Overview');
  const { accounts: watched } = await wallet.call('accounts.list');
  t.deepEqual(
    watched.map(({ account_index: index }) => index),
    [3, 0],
  );
  t.is(await page.evaluate('window.stolen'), undefined);
  // This front has no service to ask when everything was backed up.
  t.deepEqual(
    page.complaints.filter((text) => !/404/.test(text)),
    [],
  );
});

browserTest('what another wallet received in the open is shielded with a Keystone', async (t, page) => {
  const story = await startPaymentStory(t, { notes: [], config: { own_signer: false } });
  const { devnet, params } = story;
  const { transparent } = keysOf(0);
  const [first, second] = ownTransparentAddresses(transparent, 'external', { start: 0, count: 2 }, params);
  const paid = [first!, second!].map(({ address }) => ({
    address,
    pool: 'transparent' as const,
    zatoshi: 150_000_000,
  }));
  const origin = await serve(t, page, story.wallet.link);
  await page.open(`${origin}/#/pay`);
  await page.click('Shield transparent funds');
  await page.click('Prepare to shield');
  await page.see('There is nothing to shield at the transparent addresses of the account');
  devnet.mine({ transactions: [devnet.pay(paid)] });
  await story.sync();
  await page.click('Prepare to shield');
  await page.see('in 1 output at tm');
  await page.see('did not fit into one transaction: it takes 1 more payment.');
  await page.click('Give it up');
  await page.see('Given up: its notes are free again');
  await page.click('From several addresses at once: everybody sees that they belong together');
  await page.click('Prepare to shield');
  await page.see('come from tm');
  await looksRight(t, page, 'to shield');
  await page.click('It is right: go on');
  await page.see('transparent: 2 signatures');
  const { payments } = await story.wallet.call('payments.list', { open: true });
  const { payment_id: id, inputs } = payments[0]!;
  t.is(inputs.length, 2);

  const { pczt } = await story.signerView(id);
  const answer = keystoneAnswer(Buffer.from(pczt, 'base64'), { seed: SEED, params });
  writeVideo(video, codesOf(pcztUr(answer), 60), 1);
  await page.click("Scan the device's answer, or sign with a Ledger");
  await page.click("Scan the device's answer");
  await shieldToTheEnd(t, page, story, 300_000_000 - 20_000);
});

browserTest('two payments go to a Keystone at once, and its signatures come back', async (t, page) => {
  const story = await startPaymentStory(t, {
    config: { own_signer: false },
    notes: [
      ['ironwood', 100_000_000],
      ['ironwood', 100_000_000],
    ],
  });
  const ids: string[] = [];
  for (const zatoshi of [1_000_000, 2_000_000]) ids.push((await story.prepare({ zatoshi })).payment_id);
  const origin = await serve(t, page, story.wallet.link);
  await page.open(`${origin}/#/pay`);
  await page.click('Sign several at once');
  await page.click('Show them as moving codes');
  await page.click('Pause');
  const device = new UrReader();
  for (let last = ''; device.message === undefined; ) {
    const [outline, size] = await page.evaluate<[string, number]>(
      `[document.querySelector('.moving path').getAttribute('d'), document.querySelector('.moving svg').viewBox.baseVal.width]`,
    );
    if (outline === last) continue;
    last = outline;
    device.receive(decoded(modulesOfPath(outline, size)));
    await page.click('Next code');
  }
  await looksRight(t, page, 'several payments');
  const answer = keystoneBatchAnswer(device.message, { seed: SEED, params: story.params });
  const unsigned = keystoneBatchAnswer(device.message, { seed: OTHER_SEED, params: story.params });
  writeVideo(video, codesOf(unsigned, 10), 1);
  await page.click("Scan the device's signatures");
  await page.see('For 2 payments.');
  await page.click("Scan the device's signatures");
  await page.see('without a signature');
  writeVideo(video, codesOf(answer, 10), 1);
  await page.click("Scan the device's signatures");
  await page.until(`location.pathname === '/'`);
  await page.see('Make the proofs here');
  for (const id of ids) t.is((await story.get(id)).missing[0]!.signatures, 0);
  t.deepEqual(page.complaints, []);
});
