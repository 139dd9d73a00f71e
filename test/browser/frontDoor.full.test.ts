import { CHROMIUM, Chromium } from '../helpers/chromium.ts';
import { attacked, frontDoorSuite } from './frontDoor.ts';

frontDoorSuite.runIn(
  attacked({
    kind: CHROMIUM,
    start: (program, site) =>
      Chromium.start(program, [
        '--host-resolver-rules=MAP evil.example 127.0.0.1',
        `--unsafely-treat-insecure-origin-as-secure=http://evil.example:${site.port}`,
        '--autoplay-policy=no-user-gesture-required',
      ]),
    giveLeave: (page, origin) => {
      const leave = { permissions: ['loopbackNetwork'], origin, browserContextId: page.context };
      return page.send('Browser.grantPermissions', leave).then(
        () => true,
        () => false,
      );
    },
  }),
);
