// WebKitGTK's MiniBrowser, spoken to by WebDriver (w3.org/TR/webdriver2) over HTTP, on a screen that nobody sees. The protocol
// tells neither what a page complains about nor what it requests: the page is asked for both.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { freePort } from './freePort.ts';
import { clickedAt, pointedAt, pressed, typed } from './inputActions.ts';
import { type Browser, type BrowserKind, type Key, Page } from './page.ts';

const DRIVER = 'WebKitWebDriver';
/** Debian keeps it in a folder of the machine's architecture and the library's version. */
const LIBRARIES = ['/usr/lib', '/usr/libexec'];

/** MiniBrowser, or undefined. `WALLET_COMPANION_MINIBROWSER` names another. */
function findMiniBrowser(): string | undefined {
  const isThere = (name: string, option: string) => spawnSync(name, [option]).error === undefined;
  if (!isThere(DRIVER, '--help') || !isThere('Xvfb', '-help')) return undefined;
  const named = process.env['WALLET_COMPANION_MINIBROWSER'];
  if (named !== undefined) return named;
  const folders = LIBRARIES.filter(existsSync).flatMap((library) => [
    library,
    ...readdirSync(library)
      .filter((name) => name.endsWith('-linux-gnu'))
      .map((name) => path.join(library, name)),
  ]);
  return folders
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.startsWith('webkit2gtk-') || name.startsWith('webkitgtk-'))
        .map((name) => path.join(folder, name, 'MiniBrowser')),
    )
    .find(existsSync);
}

type Fields = Readonly<Record<string, unknown>>;

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
  await exited;
};

export class WebKit implements Browser<WebKitPage> {
  readonly #program: string;
  readonly #screen: ChildProcess;
  readonly #driver: ChildProcess;
  readonly #folder: string;
  readonly #url: string;
  #session: string | undefined;

  private constructor(
    program: string,
    screen: ChildProcess,
    driver: ChildProcess,
    folder: string,
    url: string,
  ) {
    this.#program = program;
    this.#screen = screen;
    this.#driver = driver;
    this.#folder = folder;
    this.#url = url;
  }

  static async start(program: string): Promise<WebKit> {
    const folder = mkdtempSync(path.join(tmpdir(), 'companion-webkit-'));
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const [display] = await once(createInterface({ input: screen.stdio[3] as Readable }), 'line');
    const port = await freePort();
    const driver = spawn(DRIVER, [`--port=${port}`], {
      stdio: 'ignore',
      env: {
        ...process.env,
        HOME: folder,
        DISPLAY: `:${String(display)}`,
        GDK_BACKEND: 'x11',
        LANGUAGE: 'en_US:en',
        // Bubblewrap does not start everywhere, in containers for one. Only pages of the tests are opened.
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      },
    });
    const browser = new WebKit(program, screen, driver, folder, `http://127.0.0.1:${port}`);
    await browser.#ready();
    return browser;
  }

  async #ready(): Promise<void> {
    while (this.#driver.exitCode === null) {
      const isReady = await this.command('GET', '/status').then(
        () => true,
        () => false,
      );
      if (isReady) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`${DRIVER} has ended`);
  }

  async command<T>(method: 'GET' | 'POST' | 'DELETE', route: string, body: Fields = {}): Promise<T> {
    const response = await fetch(this.#url + route, {
      method,
      headers: { connection: 'close' },
      ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
    });
    const { value } = (await response.json()) as { value: unknown };
    if (response.ok) return value as T;
    const { error, message } = value as { error: string; message: string };
    throw new Error(`${error}: ${message}`);
  }

  /** A window with storage of its own. The driver has one at a time. */
  async page(): Promise<WebKitPage> {
    await this.end();
    const options = {
      binary: this.#program,
      args: ['--automation', '--javascript-can-open-windows-automatically=TRUE'],
    };
    const { sessionId } = await this.command<{ sessionId: string }>('POST', '/session', {
      capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
    });
    this.#session = `/session/${sessionId}`;
    const page = new WebKitPage(this, this.#session);
    await page.withoutToolbar();
    return page;
  }

  /** The window that is open, if any. */
  async end(): Promise<void> {
    if (this.#session !== undefined) await this.command('DELETE', this.#session);
    this.#session = undefined;
  }

  async stop(): Promise<void> {
    await this.end().catch(() => undefined);
    await ended(this.#driver);
    await ended(this.#screen);
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }
}

/** Listens in a document that was not looked at before. */
const WATCH = `if (window.watched === undefined) {
    window.watched = { complaints: [], requests: location.protocol === 'about:' ? [] : [location.href], count: 0 };
    const complain = (text) => watched.complaints.push(String(text));
    addEventListener('error', ({ message }) => complain(message));
    addEventListener('unhandledrejection', ({ reason }) => complain(reason));
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => complain(violatedDirective + ' ' + blockedURI));
    performance.setResourceTimingBufferSize(10_000);
  }`;

/** What is new since. */
const NEWS = `(() => {
    const resources = performance.getEntriesByType('resource').slice(watched.count);
    watched.count += resources.length;
    const requests = [...watched.requests.splice(0), ...resources.map(({ name }) => name)];
    return { complaints: watched.complaints.splice(0), requests };
  })()`;

interface Answer {
  /** Not there for undefined, as in the page. */
  readonly json?: string | null;
  readonly error?: string;
  readonly news: { readonly complaints: readonly string[]; readonly requests: readonly string[] };
}

/** Which the driver cannot do by itself: the value of an expression, or of the last of some statements. */
function bodyOf(expression: string): string {
  try {
    new Function(`(${expression}\n)`);
    return `return (${expression}\n);`;
  } catch {
    return expression;
  }
}

export class WebKitPage extends Page {
  readonly #browser: WebKit;
  readonly #session: string;

  constructor(browser: WebKit, session: string) {
    super();
    this.#browser = browser;
    this.#session = session;
  }

  #post<T>(command: string, body: Fields = {}): Promise<T> {
    return this.#browser.command<T>('POST', this.#session + command, body);
  }

  /** A toolbar keeps the window from being as narrow as a phone. */
  async withoutToolbar(): Promise<void> {
    const handles = () => this.#browser.command<string[]>('GET', `${this.#session}/window/handles`);
    const before = await handles();
    await this.evaluate(`void open('about:blank', '_blank', 'popup,noopener')`);
    let opened: string | undefined;
    while (opened === undefined) opened = (await handles()).find((handle) => !before.includes(handle));
    await this.#browser.command('DELETE', `${this.#session}/window`);
    await this.#post('/window', { handle: opened });
    // No script waits in vain, as none does in the other browsers.
    await this.#post('/timeouts', { script: 30 * 60_000 });
  }

  async open(url: string): Promise<void> {
    await this.#post('/url', { url });
    await this.evaluate('0');
  }

  async reload(): Promise<void> {
    await this.#post('/refresh');
    await this.evaluate('0');
  }

  async evaluate<T>(expression: string): Promise<T> {
    const script = `const done = arguments[arguments.length - 1];
      ${WATCH}
      (async () => { ${bodyOf(expression)} })().then(
        (value) => done({ json: JSON.stringify(value), news: ${NEWS} }),
        (error) => done({ error: String(error), news: ${NEWS} }));`;
    const { json, error, news } = await this.#post<Answer>('/execute/async', { script, args: [] });
    // Which is none of the page: the size that an observer changed is told to the others in the next frame.
    const errors = news.complaints.filter((text) => !text.startsWith('ResizeObserver loop'));
    for (const text of errors) this.complain(text);
    this.requested.push(...news.requests);
    if (error !== undefined) throw new Error(error);
    return (typeof json === 'string' ? JSON.parse(json) : undefined) as T;
  }

  runFirst(): Promise<void> {
    throw new Error('WebDriver runs no script before those of a page');
  }

  insert(text: string): Promise<void> {
    return this.#post('/actions', { actions: typed(text) });
  }

  press(key: Key): Promise<void> {
    return this.#post('/actions', { actions: pressed(key) });
  }

  clickAt(x: number, y: number): Promise<void> {
    return this.#post('/actions', { actions: clickedAt(x, y) });
  }

  pointAt(x: number, y: number): Promise<void> {
    return this.#post('/actions', { actions: pointedAt(x, y) });
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#post('/window/rect', { width, height });
    await this.until(`innerWidth === ${width}`);
  }

  /** Its colours are those of the desktop. */
  async prefer(): Promise<boolean> {
    return false;
  }

  speak(): Promise<void> {
    throw new Error('WebKitGTK has one language from its start on');
  }

  history(): Promise<string[]> {
    throw new Error('WebDriver does not tell the history of a tab');
  }

  async picture(file: string): Promise<void> {
    const data = await this.#browser.command<string>('GET', `${this.#session}/screenshot`);
    writeFileSync(`${file}.png`, Buffer.from(data, 'base64'));
  }

  async close(): Promise<void> {
    await this.#browser.end();
  }
}

export const WEBKIT: BrowserKind<WebKitPage> = {
  name: 'WebKitGTK',
  find: findMiniBrowser,
  start: WebKit.start,
};
