// A page in a tab: drawn anew at each change of the state, and emptied when the user leaves it.

import { type ComponentChild, render } from 'preact';
import { type Place, placeIn, withoutCode } from '../../model/place.ts';
import { language } from '../../texts/language.ts';
import { store } from '../live/app.ts';
import { readToken } from '../live/token.ts';
import { escapeHidden } from './text.tsx';

export function startPage(view: (place: Place) => ComponentChild): void {
  let isDue = false;
  const drawNow = () => {
    isDue = false;
    document.documentElement.dataset['theme'] = store.config?.theme ?? 'system';
    render(view(placeIn(location.hash)), document.body);
  };
  /** Once for all changes of this moment: when the wallet locks, its view is removed before anything else can happen. */
  const draw = () => {
    if (!isDue) queueMicrotask(drawNow);
    isDue = true;
  };
  escapeHidden();
  document.documentElement.lang = language();
  addEventListener('hashchange', () => {
    const { hash } = location;
    // A code that is opened in this tab is taken by a page that begins anew.
    if (placeIn(hash).wallet === store.wallet && withoutCode(hash).code === undefined) return draw();
    render(null, document.body);
    location.reload();
  });
  // The user opens another page in this tab: everything is removed, so that the back button shows nothing of it.
  addEventListener('pagehide', () => render(null, document.body));
  addEventListener('pageshow', (event) => event.persisted && void store.reload());
  draw();
  void readToken().then(() => store.start(draw));
}
