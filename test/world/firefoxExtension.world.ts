// The example extension in Firefox: from the same folder as in Chromium.

import { extending, extensionsSuite } from '../browser/extensions.ts';
import { type AddOn, drawing, unpackAddOn } from '../browser/support/extension.ts';
import { FIREFOX, Firefox } from '../helpers/firefox.ts';

extensionsSuite.runIn(
  extending(FIREFOX, (program) => ({
    unpack: unpackAddOn,
    start: async (extensions) => {
      const addOns = extensions as readonly AddOn[];
      const browser = await Firefox.start(program, {
        ...drawing(addOns),
        'network.dns.localDomains': 'evil.example',
      });
      for (const { folder } of addOns) await browser.install(folder);
      return browser;
    },
  })),
);
