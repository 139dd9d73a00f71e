// The page for devices, apart from the dashboard: it alone may use the camera and USB devices, and is loaded where they are used.

import '../live/language.ts';
import { scanAddress } from '../../model/codeScan.ts';
import type { Place } from '../../model/place.ts';
import { deviceTexts } from '../../texts/device.ts';
import { dashboardHref, store } from '../live/app.ts';
import { leaveTo } from '../live/token.ts';
import { Boundary } from '../parts/layout.tsx';
import { Refund } from '../parts/refund.tsx';
import { startPage } from '../parts/startPage.ts';
import { Connecting, Lost, Refused, Unlock } from '../views/closed.tsx';
import { Pair } from './pair.tsx';
import { Scan } from './scan.tsx';
import { Sign, SignBatch } from './sign.tsx';

function Page({ page, item = '' }: Place) {
  if (store.phase === 'connecting') return <Connecting />;
  if (store.phase === 'refused') return <Refused />;
  if (store.phase === 'lost') return <Lost />;
  const isOfWallet = ['pay', 'batch', 'refund'].includes(page);
  if (!isOfWallet && store.phase !== 'locked') return <Pair />;
  if (store.phase !== 'open') return <Unlock />;
  if (page === 'refund') return <ScannedRefund key={item} id={item} />;
  return page === 'batch' ? <SignBatch ids={item.split('+')} /> : <Sign key={item} id={item} />;
}

const ScannedRefund = ({ id }: { id: string }) => (
  <Refund
    id={id}
    camera={(take) => <Scan reader={scanAddress} begin={deviceTexts().scanAddress} take={take} />}
    prepared={(item) => leaveTo(dashboardHref({ page: 'pay', item }))}
  />
);

const backFrom = (place: Place) =>
  place.page === 'pay' ? place : { page: { batch: 'pay', refund: 'till' }[place.page] ?? '' };

const goBack = (event: MouseEvent & { currentTarget: HTMLAnchorElement }) => {
  event.preventDefault();
  leaveTo(event.currentTarget.href);
};

startPage((place) => (
  <>
    <header class="top">
      <h1>{deviceTexts().title}</h1>
      <span class="push" />
      <a href={dashboardHref(backFrom(place))} onClick={goBack}>
        {deviceTexts().back}
      </a>
    </header>
    <main class="narrow" tabIndex={-1}>
      <Boundary key={store.phase}>
        <Page {...place} />
      </Boundary>
    </main>
    <div class="unseen" role="status" aria-live="polite" children={store.announcement} />
  </>
));
