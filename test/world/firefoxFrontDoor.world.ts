// The front door, tried by the same hostile pages in Firefox.

import { attacked, frontDoorSuite } from '../browser/frontDoor.ts';
import { FIREFOX, Firefox } from '../helpers/firefox.ts';

/** It tells the page that something came, whatever the status was. */
const PRELOADED = Object.fromEntries(
  ['script', 'style', 'image', 'fetch', 'font'].map((kind) => [
    `link rel=preload as=${kind}`,
    { sees: 'load' },
  ]),
);

frontDoorSuite.runIn(
  attacked({
    kind: FIREFOX,
    start: (program, _, publicSite) =>
      Firefox.start(program, {
        'network.dns.localDomains': 'evil.example,evil.localhost,localhost.',
        'dom.serviceWorkers.testing.enabled': true,
        'dom.securecontext.allowlist': 'evil.example',
        'media.autoplay.default': 0,
        'dom.disable_open_during_load': false,
        // Off unless a person turns it on.
        'browser.send_pings': true,
        'browser.send_pings.require_same_host': false,
        'network.lna.address_space.public.override': `127.0.0.1:${publicSite.port}`,
      }),
    differs: {
      ...PRELOADED,
      // It knows no speculation rules.
      'speculation rules: prefetch and prerender': { sees: 'not sent', sent: false },
      // It refuses once the worker is made, not before.
      'worker of the companion': { sees: 'made' },
    },
    giveLeave: (page, origin) => page.permit(origin, 'loopback-network'),
  }),
);
