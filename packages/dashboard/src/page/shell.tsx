// The frame around the views: header, navigation, and the view of the moment.

import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { store, to } from './live/app.ts';
import { Lights, Top } from './parts/header.tsx';
import { Boundary } from './parts/layout.tsx';
import { Notice } from './parts/text.tsx';
import { Activity } from './views/activity.tsx';
import { Connecting, Lost, Refused, Unlock } from './views/closed.tsx';
import { Overview } from './views/overview.tsx';
import { Pay } from './views/pay.tsx';
import { Receive } from './views/receive.tsx';
import { Scan } from './views/scan.tsx';
import { Settings } from './views/settings.tsx';
import { Till } from './views/till.tsx';
import { Welcome } from './views/welcome.tsx';

type Page = { readonly path: string; readonly title: string; readonly View: FunctionComponent };

/** By the fragment of the address, or by the state of a wallet that is not open. */
const PAGES: readonly Page[] = [
  { path: '', title: 'Overview', View: Overview },
  { path: 'activity', title: 'Activity', View: Activity },
  { path: 'receive', title: 'Receive', View: Receive },
  { path: 'till', title: 'Till', View: Till },
  { path: 'pay', title: 'Pay', View: Pay },
  { path: 'scan', title: 'Scan', View: Scan },
  { path: 'settings', title: 'Settings', View: Settings },
  { path: ':connecting', title: 'Connecting', View: Connecting },
  { path: ':refused', title: 'Not open', View: Refused },
  { path: ':lost', title: 'No connection', View: Lost },
  { path: ':none', title: 'Welcome', View: Welcome },
  { path: ':locked', title: 'Unlock', View: Unlock },
];
const LINKS = PAGES.filter(({ path }) => !path.startsWith(':'));

const TITLE = 'Wallet Companion';
const NEWS = 'There is news. Move the mouse or press a key to read it.';

export function Shell({ page: wanted }: { page: string }) {
  const main = useRef<HTMLElement>(null);
  const isOpen = store.phase === 'open';
  const page = PAGES.find((one) => one.path === (isOpen ? wanted : `:${store.phase}`)) ?? PAGES[0]!;
  const { path, title, View } = page;
  useLayoutEffect(() => {
    document.title = [title, store.wallet, TITLE].filter(Boolean).join(' · ');
    store.announce(title);
    if (path === ':locked') main.current?.querySelector<HTMLElement>('input[type=password]')?.focus();
    else if (document.activeElement !== document.body) main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [path]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()} children="Skip to the page" />
      <header>
        <Top title={TITLE} />
        {store.status?.exists && (
          <Boundary key={path}>
            <Lights />
          </Boundary>
        )}
        {isOpen && (
          <nav aria-label="Pages">
            {LINKS.map((one) => (
              <a key={one.path} href={to(one.path)} aria-current={one === page ? 'page' : undefined}>
                {one.title}
              </a>
            ))}
          </nav>
        )}
      </header>
      {isOpen && <Notices />}
      <main id="main" class={isOpen ? '' : 'narrow'} tabIndex={-1} ref={main}>
        <Boundary key={path}>
          <View />
        </Boundary>
      </main>
      <div class="unseen" role="status" aria-live="polite" children={store.announcement} />
    </>
  );
}

const Notices = () => (
  <>
    <Notice role="status" text={store.isStale ? NEWS : ''} />
    {!!store.pairings?.requests?.length && (
      <p class="notice" role="status">
        A browser extension asks to be let in. <a href={to('settings')}>Look at it</a>
      </p>
    )}
  </>
);
