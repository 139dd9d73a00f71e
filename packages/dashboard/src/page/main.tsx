// The dashboard's start: chooses the transport, and draws the page anew at each change of its state.

import { render } from 'preact';
import { Formats } from '../model/amounts.ts';
import { httpTransport } from './live/httpTransport.ts';
import { Store } from './live/store.ts';
import { SyncRunner } from './live/syncRunner.ts';
import { windowTransport } from './live/windowTransport.ts';
import { AppContext } from './parts/app.ts';
import { escapeHidden } from './parts/text.tsx';
import { Shell } from './shell.tsx';

const isWindow = location.protocol !== 'http:' && location.protocol !== 'https:';
const transport = isWindow ? windowTransport() : httpTransport();
const store = new Store(transport, () => draw());
const app = { store, call: transport.call, formats: new Formats(), runner: new SyncRunner(store) };

let isDue = false;

/** Once for all changes of this moment: when the wallet locks, its view is removed before anything else can happen. */
function draw(): void {
  if (!isDue) queueMicrotask(drawNow);
  isDue = true;
}

function drawNow(): void {
  isDue = false;
  document.documentElement.dataset['theme'] = store.config?.theme ?? 'system';
  const page = (
    <AppContext.Provider value={app}>
      <Shell hash={location.hash} />
    </AppContext.Provider>
  );
  render(page, document.body);
}

escapeHidden();
addEventListener('hashchange', draw);
// The user opens another page in this tab: everything is removed, so that the back button shows nothing of it.
addEventListener('pagehide', () => render(null, document.body));
addEventListener('pageshow', (event) => event.persisted && void store.reload());
draw();
store.start();
