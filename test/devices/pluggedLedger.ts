// A mock Ledger as `navigator.hid` of a page in Chromium: its reports go through the browser's protocol to the test and back.

import type { ChromiumPage } from '../helpers/chromium.ts';
import type { MockLedger } from './mockLedger.ts';

const NAVIGATOR_HID = `(() => {
  const inputs = new Set();
  const gone = new Set();
  const device = {
    opened: false,
    open: async () => { device.opened = true; },
    close: async () => { device.opened = false; },
    sendReport: async (_, data) => ledgerReport(JSON.stringify([...data])),
    addEventListener: (_, listener) => inputs.add(listener),
    removeEventListener: (_, listener) => inputs.delete(listener),
  };
  window.ledger = {
    device,
    answer: (bytes) => [...inputs].forEach((listener) => listener({ data: new DataView(Uint8Array.from(bytes).buffer) })),
    unplug: () => gone.forEach((listener) => listener({ device })),
  };
  Object.defineProperty(navigator, 'hid', { value: {
    requestDevice: async ({ filters }) => filters[0].vendorId === 0x2c97 ? [device] : [],
    addEventListener: (_, listener) => gone.add(listener),
    removeEventListener: (_, listener) => gone.delete(listener),
  } });
})()`;

export interface Plugged {
  /** What is plugged in; undefined: it does not answer. */
  ledger: MockLedger | undefined;
}

/** Before the page is opened. */
export async function plugLedger(page: ChromiumPage): Promise<Plugged> {
  const plugged: Plugged = { ledger: undefined };
  await page.expose('ledgerReport', (payload) => {
    for (const report of plugged.ledger?.report(Uint8Array.from(JSON.parse(payload) as number[])) ?? [])
      void page.evaluate(`window.ledger.answer(${JSON.stringify([...report])})`);
  });
  await page.runFirst(NAVIGATOR_HID);
  return plugged;
}
