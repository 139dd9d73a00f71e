// The frame around the views: header, navigation, and the current view. When the wallet locks, its view is removed
// before anything else happens.

import { announce, announcer } from './parts/announce.ts';
import type { App, View } from './parts/app.ts';
import { h, replace, setText, show } from './parts/dom.ts';
import { actionButton } from './parts/form.ts';
import { activityView } from './views/activity.ts';
import { connectingView, lostView } from './views/connection.ts';
import { overviewView } from './views/overview.ts';
import { payView } from './views/pay.ts';
import { receiveView } from './views/receive.ts';
import { scanView } from './views/scan.ts';
import { settingsView } from './views/settings.ts';
import { unlockView } from './views/unlock.ts';
import { welcomeView } from './views/welcome.ts';

interface Page {
  readonly path: string;
  readonly name: string;
  readonly make: (app: App) => View;
}

const PAGES: readonly Page[] = [
  { path: '#/', name: 'Overview', make: overviewView },
  { path: '#/activity', name: 'Activity', make: activityView },
  { path: '#/receive', name: 'Receive', make: receiveView },
  { path: '#/pay', name: 'Pay', make: payView },
  { path: '#/scan', name: 'Scan', make: scanView },
  { path: '#/settings', name: 'Settings', make: settingsView },
];

const TITLE = 'Wallet Companion';

export class Shell {
  readonly #app: App;
  readonly #main = h('main', { id: 'main', tabindex: '-1' });
  readonly #network = h('span', { class: 'tag', hidden: true });
  readonly #stale = h(
    'p',
    { class: 'notice', role: 'status', hidden: true },
    'There is news. Move the mouse or press a key to read it.',
  );
  readonly #asking = h(
    'p',
    { class: 'notice', role: 'status', hidden: true },
    'A browser extension asks to be let in. ',
    h('a', { href: '#/settings' }, 'Look at it'),
  );
  readonly #nav: HTMLElement;
  readonly #lock: HTMLElement;
  readonly #links: readonly HTMLAnchorElement[];
  #view: View | undefined;
  #shown = '';
  #isHeld = false;

  constructor(app: App) {
    this.#app = app;
    this.#links = PAGES.map(({ path, name }) => h('a', { href: path }, name));
    this.#nav = h('nav', { 'aria-label': 'Pages', hidden: true }, this.#links);
    this.#lock = actionButton('Lock', 'quiet', async () => void (await app.call('wallet.lock')));
  }

  start(): void {
    document.body.replaceChildren(
      h(
        'a',
        {
          class: 'skip',
          href: '#main',
          onclick: (event) => {
            event.preventDefault();
            this.#main.focus();
          },
        },
        'Skip to the page',
      ),
      h(
        'header',
        {},
        h(
          'div',
          { class: 'top' },
          h('h1', {}, TITLE),
          this.#network,
          h('span', { class: 'push' }),
          this.#lock,
        ),
        this.#nav,
      ),
      this.#stale,
      this.#asking,
      this.#main,
      announcer(),
    );
    this.#app.store.onChange(() => this.update());
    addEventListener('hashchange', () => this.update());
    // The user opens another page in this tab: the view is removed, so that the back button shows nothing of it.
    addEventListener('pagehide', () => this.#takeDown());
    addEventListener('pageshow', (event) => event.persisted && void this.#app.store.reload());
    this.update();
  }

  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
  }

  update(): void {
    const { store } = this.#app;
    const { phase, config, status } = store;
    document.documentElement.dataset['theme'] = config?.theme ?? 'system';
    const network = status?.network;
    setText(this.#network, network === 'main' ? '' : network === 'test' ? 'test network' : (network ?? ''));
    show(this.#network, network !== undefined && network !== 'main');
    const isOpen = phase === 'open';
    if (phase === 'locked' || phase === 'lost') this.#isHeld = false;
    if (this.#isHeld && this.#view !== undefined) return;
    show(this.#nav, isOpen);
    show(this.#lock, isOpen);
    show(this.#stale, isOpen && store.isStale);
    show(this.#asking, isOpen && (store.pairings?.requests.length ?? 0) > 0);
    const page = PAGES.find(({ path }) => path === (location.hash || '#/')) ?? PAGES[0]!;
    const wanted = isOpen ? page.path : phase;
    if (wanted === this.#shown) {
      this.#view?.update?.();
      return;
    }
    this.#takeDown();
    this.#shown = wanted;
    this.#put(isOpen ? page.make(this.#app) : this.#closedView());
    for (const [index, link] of this.#links.entries()) {
      if (PAGES[index] === page) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
  }

  #closedView(): View {
    const { store } = this.#app;
    switch (store.phase) {
      case 'none':
        return welcomeView(this.#app);
      case 'locked':
        return unlockView(this.#app);
      case 'lost':
        return lostView(store.transport.kind === 'window');
      default:
        return connectingView();
    }
  }

  #put(view: View): void {
    const isFirst = document.activeElement === document.body;
    this.#view = view;
    replace(this.#main, view.element);
    document.title = `${view.title} · ${TITLE}`;
    announce(view.title);
    view.update?.();
    const field = view.element.querySelector<HTMLElement>('input[type=password]');
    if (this.#shown === 'locked') field?.focus();
    else if (!isFirst) this.#main.focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  #takeDown(): void {
    this.#view?.leave?.();
    this.#view = undefined;
    this.#shown = '';
    replace(this.#main);
  }
}
