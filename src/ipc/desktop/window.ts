// The desktop window: the companion's page in the system's WebKitGTK, inside the companion's process. Requests never
// leave the process: no port is opened, and no password travels over HTTP.

import type { DashboardFile } from '@wallet-companion/dashboard';
import type { Dispatcher, EventPublisher } from '../../protocol/link.ts';
import { PageEvents } from './pageEvents.ts';
import { bodyLimit, type PageAnswer, type PageRequest, pageAnswerer } from './pageRequests.ts';
import { type Bindings, bind, loadWebKit, type Pointer, type WebKit } from './webkit.ts';

const SCHEME = 'companion';
const HOME = `${SCHEME}://app/`;
const WIDTH = 1000;
const HEIGHT = 840;

/**
 * GTK and Node each need the thread's loop; a Node timer runs GTK's. An iteration without work costs some microseconds,
 * so 8 ms keeps typing smooth at well under 1 % of a core, and 40 ms are enough after a while without work.
 */
const BUSY_PAUSE_MS = 8;
const IDLE_PAUSE_MS = 40;
const IDLE_AFTER_TURNS = 125;

export interface DesktopOptions {
  readonly link: Dispatcher & EventPublisher;
  /** The pages, by path. */
  readonly files: ReadonlyMap<string, DashboardFile>;
  readonly requestId: () => string;
  /** Called with the error that made an answer impossible; the page gets an empty answer. */
  readonly onFault: (fault: unknown) => void;
  /** Whose page is shown first; undefined: the default one's. */
  readonly wallet?: string | undefined;
}

export interface DesktopWindow {
  /** Resolves when the window has been closed, by the user or by the program. */
  readonly closed: Promise<void>;
  close(): void;
  /** For other uses than showing the window, such as screenshots and scripts. */
  readonly webkit: WebKit;
  readonly view: Pointer;
}

/** Opens the window. Throws `CompanionError` that names what is missing where there is no WebKitGTK or no display. */
export async function openDesktop({
  link,
  files,
  requestId,
  onFault,
  wallet,
}: DesktopOptions): Promise<DesktopWindow> {
  const webkit = await loadWebKit();
  const bindings = bind(webkit);
  const callbacks = new Callbacks(webkit);
  const context = bindings.newContext();
  const events = new PageEvents(link);
  const answer = pageAnswerer({ link, events, files, requestId });
  let isOpen = true;
  callbacks.onRequest((request) => {
    // The answer comes later; until then the request must not be garbage-collected.
    bindings.keep(request);
    respond(bindings, request, answer, () => isOpen)
      .catch(onFault)
      .finally(() => bindings.release(request));
  });
  bindings.registerScheme(context, SCHEME, callbacks.request);
  const view = bindings.newView(context);
  callbacks.onPolicy((decision, type) => refusesNavigation(bindings, decision, type));
  bindings.connect(view, 'decide-policy', callbacks.policy);
  const window = bindings.newWindow('Wallet Companion', WIDTH, HEIGHT, view);
  const closed = new Promise<void>((resolve) => {
    callbacks.onDestroy(() => {
      isOpen = false;
      events.close();
      resolve();
    });
  });
  bindings.connect(window, 'destroy', callbacks.destroy);
  // The page names its wallet in its address, as in a browser.
  bindings.loadUri(view, wallet === undefined ? HOME : `${HOME}#${wallet}/`);
  const stop = turnLoop(bindings, () => isOpen, onFault);
  void closed.then(stop);
  return {
    closed,
    close: () => {
      if (isOpen) bindings.destroyWindow(window);
    },
    webkit,
    view,
  };
}

async function respond(
  bindings: Bindings,
  request: Pointer,
  answer: (request: PageRequest) => Promise<PageAnswer>,
  isOpen: () => boolean,
): Promise<void> {
  const path = bindings.requestPath(request);
  const { status, type, body } = await answer({
    method: bindings.requestMethod(request),
    path,
    // One byte more than allowed is enough to detect a body that is too large.
    body: bindings.requestBody(request, bodyLimit(path) + 1),
  });
  if (isOpen()) bindings.answer(request, status, type, body);
}

/** WebKitPolicyDecisionType. */
const NAVIGATION = 0;
const NEW_WINDOW = 1;

/** The window shows only the companion's page: navigation to any other page is refused. */
function refusesNavigation(bindings: Bindings, decision: Pointer, type: number): boolean {
  const isOurs = type === NAVIGATION && bindings.navigationTarget(decision).startsWith(HOME);
  if (isOurs || (type !== NAVIGATION && type !== NEW_WINDOW)) return false;
  bindings.refuse(decision);
  return true;
}

function turnLoop(bindings: Bindings, isOpen: () => boolean, onFault: (fault: unknown) => void): () => void {
  let idleTurns = 0;
  let timer: NodeJS.Timeout | undefined;
  const turn = (): void => {
    try {
      let moved = false;
      while (isOpen() && bindings.turn()) moved = true;
      idleTurns = moved ? 0 : idleTurns + 1;
    } catch (fault) {
      onFault(fault);
    }
    if (isOpen()) timer = setTimeout(turn, idleTurns > IDLE_AFTER_TURNS ? IDLE_PAUSE_MS : BUSY_PAUSE_MS);
  };
  timer = setTimeout(turn, 0);
  return () => clearTimeout(timer);
}

/** C function pointers that call JavaScript. They exist as long as the process: WebKit may call them until then. */
class Callbacks {
  readonly request: Pointer;
  readonly policy: Pointer;
  readonly destroy: Pointer;
  #onRequest: (request: Pointer) => void = () => {};
  #onPolicy: (decision: Pointer, type: number) => boolean = () => false;
  #onDestroy: () => void = () => {};

  constructor({ koffi }: WebKit) {
    const register = (
      result: string,
      words: readonly string[],
      callback: (...words: Pointer[]) => unknown,
    ): Pointer => koffi.register(callback, koffi.pointer(koffi.proto(result, [...words])));
    const user = 'void *';
    this.request = register('void', ['void *', user], (request) => this.#onRequest(request));
    this.policy = register('int', ['void *', 'void *', 'int', user], (_view, decision, type) =>
      this.#onPolicy(decision, Number(type)) ? 1 : 0,
    );
    this.destroy = register('void', ['void *', user], () => this.#onDestroy());
  }

  onRequest(listener: (request: Pointer) => void): void {
    this.#onRequest = listener;
  }

  onPolicy(listener: (decision: Pointer, type: number) => boolean): void {
    this.#onPolicy = listener;
  }

  onDestroy(listener: () => void): void {
    this.#onDestroy = listener;
  }
}
