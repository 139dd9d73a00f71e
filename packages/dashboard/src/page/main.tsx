// The dashboard's start: draws the page anew at each change of its state.

import './live/language.ts';
import { render } from 'preact';
import { placeIn } from '../model/place.ts';
import { store } from './live/app.ts';
import { escapeHidden } from './parts/text.tsx';
import { Shell } from './shell.tsx';

let isDue = false;

/** Once for all changes of this moment: when the wallet locks, its view is removed before anything else can happen. */
function draw(): void {
  if (!isDue) queueMicrotask(drawNow);
  isDue = true;
}

function drawNow(): void {
  isDue = false;
  document.documentElement.dataset['theme'] = store.config?.theme ?? 'system';
  render(<Shell page={placeIn(location.hash).page} />, document.body);
}

escapeHidden();
addEventListener('hashchange', () => {
  if (placeIn(location.hash).wallet === store.wallet) return draw();
  render(null, document.body);
  location.reload();
});
// The user opens another page in this tab: everything is removed, so that the back button shows nothing of it.
addEventListener('pagehide', () => render(null, document.body));
addEventListener('pageshow', (event) => event.persisted && void store.reload());
draw();
store.start(draw);
