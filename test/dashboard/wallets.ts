// Several wallets on one dashboard, in a real Chromium over the running companion: each page is of the wallet that the address names.

import { startDevnetService } from '../helpers/devnetService.ts';
import type { Page } from '../helpers/page.ts';
import { suite } from '../helpers/suite.ts';
import { looksRight } from './support/browserTest.ts';
import { savedBy } from './support/savedFile.ts';

export const walletsSuite = suite<Page>();
const browserTest = walletsSuite.add;

const PASSWORD = 'correct horse battery';

browserTest('every page is of the wallet that is chosen in the header', async (t, page) => {
  const { devnet, service } = await startDevnetService(t, { seed: 'wallets' });
  const at = (wallet: string) => (wallet === 'default' ? '/api' : `/api/wallets/${wallet}`);
  const make = async (wallet: string, zatoshi: number, birthday_height: number) => {
    await service.post(`${at(wallet)}/wallet/create`, { password: PASSWORD, birthday_height });
    const { body } = await service.get<{ unified_address: string }>(`${at(wallet)}/address`);
    devnet.payTo(body.unified_address, { pool: 'sapling', zatoshi, memo: `for ${wallet}` });
    await service.post(`${at(wallet)}/sync`, {});
    return body.unified_address;
  };
  await make('default', 100_000_000, 1);
  await page.open(service.url);
  await page.see('1.00');
  await page.see('regtest');
  await page.see('Node answers');
  await page.see('Block 1, the wallet is up to date');
  t.false(await page.evaluate(`!!document.querySelector('.wallets')`));

  const address = await make('savings', 200_000_000, 2);
  await page.open(`${service.url}/?again`);
  await page.until(`document.querySelector('.wallets summary')?.innerText.trim() === 'default'`);
  await page.see('1 block behind');
  await page.evaluate(`document.querySelector('.wallets summary').focus()`);
  await page.press('Enter');
  await looksRight(t, page, 'wallets');
  await page.click('savings');
  await page.see('2.00');
  t.is(await page.evaluate('location.hash'), '#savings/');
  t.false((await page.text()).includes('for default'));
  await page.click('Activity');
  await page.see('for savings');
  t.is(await page.evaluate('location.hash'), '#savings/activity');
  t.is(await page.evaluate('document.title'), 'Activity · savings · Wallet Companion');
  t.true((await savedBy(page, 'Download as CSV')).includes('for savings'));
  await page.click('Receive');
  await page.see(address);
  await page.click('Scan');
  await page.see('Scanned up to block 2.');
  await page.click('Settings');
  await page.see('Locks itself');
  // What happens to it is told to its pages alone, and a setting of the whole companion is reached from it.
  await page.click('Dark');
  await page.until(`document.documentElement.dataset.theme === 'dark'`);
  await page.click('Scan');
  await page.until(`/birthday\\s*block 2/.test(document.body.innerText)`);
  await page.click('Lock');
  await page.see('Unlock your wallet');
  t.like(await service.get('/api/wallet/status'), { body: { unlocked: true } });
  t.like(await service.get('/api/wallets/savings/wallet/status'), { body: { unlocked: false } });
  await page.type('Password', PASSWORD);
  await page.click('Unlock');
  await page.see('Scanned up to block 2.');

  await page.evaluate(`document.querySelector('.wallets summary').click()`);
  await page.click('default');
  await page.see('for default');
  t.false((await page.text()).includes('for savings'));
  t.is(await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'), '[{},{},""]');

  await page.evaluate(`location.hash = '#nobody/'`);
  await page.see('There is no wallet named nobody yet');
  t.deepEqual(
    page.complaints.filter((text) => !text.includes('404')),
    [],
  );
});
