// The frame around the views: header, navigation, and the view of the moment.

import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { sharedTexts } from '../texts/shared.ts';
import { store, to } from './live/app.ts';
import { Lights, Top } from './parts/header.tsx';
import { Boundary } from './parts/layout.tsx';
import { Notice } from './parts/text.tsx';
import { Activity } from './views/activity.tsx';
import { Connecting, Lost, Refused, Unlock } from './views/closed.tsx';
import { Day } from './views/day.tsx';
import { Overview } from './views/overview.tsx';
import { Pay } from './views/pay.tsx';
import { Receipt } from './views/receipt.tsx';
import { Receipts } from './views/receipts.tsx';
import { Receive } from './views/receive.tsx';
import { Scan } from './views/scan.tsx';
import { Settings } from './views/settings.tsx';
import { Statement } from './views/statement.tsx';
import { Till } from './views/till.tsx';
import { TillLock } from './views/tillLock.tsx';
import { Welcome } from './views/welcome.tsx';

type Page = {
  readonly path: string;
  readonly title: keyof ReturnType<typeof sharedTexts>['pages'];
  readonly View: FunctionComponent;
};

/** By the fragment of the address, or by the state of a wallet that is not open. */
const PAGES: readonly Page[] = [
  { path: '', title: 'overview', View: Overview },
  { path: 'activity', title: 'activity', View: Activity },
  { path: 'receive', title: 'receive', View: Receive },
  { path: 'till', title: 'till', View: Till },
  { path: 'pay', title: 'pay', View: Pay },
  { path: 'scan', title: 'scan', View: Scan },
  { path: 'settings', title: 'settings', View: Settings },
  { path: 'statement', title: 'statement', View: Statement },
  { path: 'day', title: 'day', View: Day },
  { path: 'receipt', title: 'receipt', View: Receipt },
  { path: 'receipts', title: 'receipts', View: Receipts },
  { path: ':connecting', title: 'connecting', View: Connecting },
  { path: ':refused', title: 'refused', View: Refused },
  { path: ':lost', title: 'lost', View: Lost },
  { path: ':till', title: 'till', View: Till },
  { path: ':pin', title: 'till', View: TillLock },
  { path: ':none', title: 'none', View: Welcome },
  { path: ':locked', title: 'locked', View: Unlock },
];
/** Activity and a payment lead to statement and receipts for payments, the till to a day and the receipt of an invoice. */
const LINKS = PAGES.filter(({ path }) => !/^(?::|statement|day|receipt)/.test(path));

export function Shell({ page: wanted }: { page: string }) {
  const main = useRef<HTMLElement>(null);
  /** What had the focus there is gone: a reader by keyboard or ear goes on at the page, not at its beginning. */
  const shownBefore = useRef('');
  const isOpen = store.phase === 'open';
  const page = PAGES.find((one) => one.path === (isOpen ? wanted : `:${store.phase}`)) ?? PAGES[0]!;
  const { path, View } = page;
  const texts = sharedTexts();
  const title = texts.pages[page.title];
  useLayoutEffect(() => {
    document.title = [title, store.wallet, texts.title].filter(Boolean).join(' · ');
    store.announce(title);
    if (path === ':locked' || path === ':pin')
      main.current?.querySelector<HTMLElement>('input[type=password]')?.focus();
    else if (document.activeElement !== document.body || shownBefore.current === ':locked')
      main.current?.focus({ preventScroll: true });
    shownBefore.current = path;
    scrollTo(0, 0);
  }, [path]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()} children={texts.skip} />
      <header>
        <Top title={texts.title} />
        {store.phase !== 'till' && store.status?.exists && (
          <Boundary key={path}>
            <Lights />
          </Boundary>
        )}
        {isOpen && (
          <nav aria-label={texts.pageList}>
            {LINKS.map((one) => (
              <a key={one.path} href={to(one.path)} aria-current={one === page ? 'page' : undefined}>
                {texts.pages[one.title]}
              </a>
            ))}
          </nav>
        )}
      </header>
      {isOpen && <Notices />}
      <main id="main" class={isOpen || path === ':till' ? '' : 'narrow'} tabIndex={-1} ref={main}>
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
    <Notice role="status" text={store.isStale ? sharedTexts().stale : ''} />
    {!!store.pairings?.requests?.length && (
      <p class="notice" role="status">
        {`${sharedTexts().extensionAsks} `}
        <a href={to('settings')}>{sharedTexts().lookAtIt}</a>
      </p>
    )}
  </>
);
