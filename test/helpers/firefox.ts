// A real Firefox, spoken to by WebDriver BiDi (w3.org/TR/webdriver-bidi) over a WebSocket on loopback. What that protocol has no
// command for is done in the browser's own window, as an extension of Firefox itself would do it.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { clickedAt, pointedAt, pressed, typed } from './inputActions.ts';
import { installedProgram } from './installedProgram.ts';
import {
  type Browser,
  type BrowserKind,
  type EvaluateOptions,
  type Key,
  Page,
  type Preferences,
} from './page.ts';

const NAMES = ['firefox-esr', 'firefox'];

/** The program, or undefined. `WALLET_COMPANION_FIREFOX` names another. */
const findFirefox = (): string | undefined => installedProgram(NAMES, 'WALLET_COMPANION_FIREFOX');

type Fields = Readonly<Record<string, unknown>>;
type Listener = (params: Fields) => void;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Fields;
  readonly result?: Fields;
  readonly error?: string;
  readonly message?: string;
}

interface Waiting {
  resolve(result: Fields): void;
  reject(reason: Error): void;
}

/** A value as BiDi writes it. */
interface RemoteValue {
  readonly type: string;
  readonly value?: unknown;
}

interface Evaluated {
  readonly type: 'success' | 'exception';
  readonly result?: RemoteValue;
  readonly exceptionDetails?: { readonly text: string };
}

/** Set before the start. The browser's own calls stay off. */
const PREFERENCES = {
  'browser.startup.page': 0,
  'browser.startup.homepage': 'about:blank',
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'intl.locale.requested': 'en-US',
};

export type FirefoxPreferences = Readonly<Record<string, string | number | boolean>>;

export class Firefox implements Browser<FirefoxPage> {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, Set<Listener>>();
  #count = 0;

  private constructor(child: ChildProcess, folder: string, socket: WebSocket) {
    this.#process = child;
    this.#folder = folder;
    this.#socket = socket;
    socket.on('message', (data) => this.#take(JSON.parse(String(data)) as Message));
    socket.on('error', () => undefined);
    child.once('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser has ended'));
    });
  }

  static async start(program: string, preferences: FirefoxPreferences = {}): Promise<Firefox> {
    const folder = mkdtempSync(path.join(tmpdir(), 'companion-firefox-'));
    const lines = Object.entries({ ...PREFERENCES, ...preferences }).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
    );
    writeFileSync(path.join(folder, 'user.js'), lines.join(''));
    const flags = ['--headless', '--no-remote', '--profile', folder];
    // The browser's own window takes no scripts without the second one.
    flags.push('--remote-debugging-port=0', '--remote-allow-system-access');
    const child = spawn(program, flags, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: folder, MOZ_CRASHREPORTER_DISABLE: '1' },
    });
    const socket = new WebSocket(`${await listeningAt(child)}/session`);
    await once(socket, 'open');
    const browser = new Firefox(child, folder, socket);
    await browser.send('session.new', { capabilities: {} });
    await browser.send('session.subscribe', { events: ['log.entryAdded', 'network.beforeRequestSent'] });
    return browser;
  }

  send(method: string, params: Fields = {}): Promise<Fields> {
    this.#count += 1;
    const id = this.#count;
    const sent = new Promise<Fields>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#socket.send(JSON.stringify({ id, method, params }));
    return sent;
  }

  on(method: string, listener: Listener): void {
    this.#listeners.set(method, (this.#listeners.get(method) ?? new Set()).add(listener));
  }

  async page(beside?: FirefoxPage): Promise<FirefoxPage> {
    const profile = beside?.profile ?? String((await this.send('browser.createUserContext'))['userContext']);
    return this.#open(profile, { userContext: profile });
  }

  /** A tab in the browser's own profile. */
  async tab(url = 'about:blank'): Promise<FirefoxPage> {
    const page = await this.#open(undefined, {});
    await page.open(url);
    return page;
  }

  async #open(profile: string | undefined, where: Fields): Promise<FirefoxPage> {
    const { context } = await this.send('browsingContext.create', { type: 'tab', ...where });
    return new FirefoxPage(this, String(context), profile);
  }

  /** Until the browser ends, as by "Load Temporary Add-on". */
  async install(folder: string): Promise<void> {
    await this.send('webExtension.install', { extensionData: { type: 'path', path: folder } });
  }

  /** In the browser's own window, with the rights of the browser. */
  async evaluateInside<T>(expression: string): Promise<T> {
    const { contexts } = await this.send('browsingContext.getTree', { 'moz:scope': 'chrome' });
    const [window] = contexts as readonly { readonly context: string }[];
    return this.evaluate<T>(window?.context ?? '', expression);
  }

  async evaluate<T>(
    context: string,
    expression: string,
    { asPerson = false }: EvaluateOptions = {},
  ): Promise<T> {
    const answer = (await this.send('script.evaluate', {
      expression,
      target: { context },
      awaitPromise: true,
      userActivation: asPerson,
    })) as unknown as Evaluated;
    if (answer.result === undefined) throw new Error(answer.exceptionDetails?.text);
    return plain(answer.result) as T;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const exited = once(this.#process, 'exit');
      await this.send('browser.close').catch(() => this.#process.kill('SIGKILL'));
      await exited;
    }
    this.#socket.terminate();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }

  #take({ id, method = '', params = {}, result = {}, error, message = '' }: Message): void {
    if (id === undefined) {
      for (const listener of this.#listeners.get(method) ?? []) listener(params);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(`${error}: ${message}`));
  }
}

async function listeningAt(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stderr! });
  for await (const line of lines) {
    const url = /BiDi listening on (ws:\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    // Read on, or the browser waits for a full pipe.
    child.stderr!.resume();
    return url;
  }
  throw new Error('Firefox ended before it listened');
}

function plain({ type, value }: RemoteValue): unknown {
  switch (type) {
    case 'undefined':
      return undefined;
    case 'null':
      return null;
    case 'array':
      return (value as RemoteValue[]).map(plain);
    case 'object':
      return Object.fromEntries(
        (value as [string, RemoteValue][]).map(([name, member]) => [name, plain(member)]),
      );
    case 'number':
      return typeof value === 'string' ? Number(value) : value;
    default:
      return value;
  }
}

export class FirefoxPage extends Page {
  readonly #browser: Firefox;
  readonly #context: string;
  /** None: the browser's own. */
  readonly profile: string | undefined;

  constructor(browser: Firefox, context: string, profile: string | undefined) {
    super();
    this.#browser = browser;
    this.#context = context;
    this.profile = profile;
    browser.on('log.entryAdded', ({ source, type, level, text }) => {
      const isHere = (source as { context?: string }).context === context;
      if (isHere && type === 'javascript' && level === 'error') this.complain(String(text));
    });
    browser.on('network.beforeRequestSent', (event) => {
      const { url } = event['request'] as { url: string };
      // The marks of lists and summaries are a font of its own, as a data: URL.
      if (event['context'] === context && !url.startsWith('data:')) this.requested.push(url);
    });
  }

  send(method: string, params: Fields = {}): Promise<Fields> {
    return this.#browser.send(method, { context: this.#context, ...params });
  }

  async open(url: string): Promise<void> {
    await this.send('browsingContext.navigate', { url, wait: 'interactive' }).catch((error: Error) => {
      // A page that went elsewhere at once was opened.
      if (!error.message.includes('A new navigation interrupted')) throw error;
    });
  }

  async reload(): Promise<void> {
    await this.send('browsingContext.reload', { wait: 'interactive' });
  }

  evaluate<T>(expression: string, options?: EvaluateOptions): Promise<T> {
    return this.#browser.evaluate<T>(this.#context, expression, options);
  }

  async runFirst(source: string): Promise<void> {
    const functionDeclaration = `() => { ${source} }`;
    await this.#browser.send('script.addPreloadScript', { functionDeclaration, contexts: [this.#context] });
  }

  insert(text: string): Promise<void> {
    return this.#act(typed(text));
  }

  press(key: Key): Promise<void> {
    return this.#act(pressed(key));
  }

  clickAt(x: number, y: number): Promise<void> {
    return this.#act(clickedAt(x, y));
  }

  pointAt(x: number, y: number): Promise<void> {
    return this.#act(pointedAt(x, y));
  }

  /** Only the tab in front gets what is typed. */
  async #act(actions: readonly object[]): Promise<void> {
    await this.send('browsingContext.activate');
    await this.send('input.performActions', { actions });
  }

  async resize(width: number, height: number): Promise<void> {
    await this.send('browsingContext.setViewport', { viewport: { width, height }, devicePixelRatio: 1 });
  }

  async prefer({ colours, motion }: Preferences): Promise<boolean> {
    await this.#inFront(`context.prefersColorSchemeOverride = ${JSON.stringify(colours ?? 'none')};
      Services.prefs.setIntPref('ui.prefersReducedMotion', ${motion === 'reduce' ? 1 : 0});`);
    return true;
  }

  async speak(language: string): Promise<void> {
    await this.#browser.send('emulation.setLocaleOverride', { locale: language, contexts: [this.#context] });
  }

  history(): Promise<string[]> {
    return this.#inFront(`const { sessionHistory } = context;
      return Array.from({ length: sessionHistory.count }, (_, at) => sessionHistory.getEntryAtIndex(at).URI.spec);`);
  }

  /** As a person who answers the browser's question. */
  permit(origin: string, permission: string): Promise<boolean> {
    return this.#inFront(`const { userContextId } = context.originAttributes;
      const { scriptSecurityManager, perms } = Services;
      const uri = Services.io.newURI(${JSON.stringify(origin)});
      const principal = scriptSecurityManager.createContentPrincipal(uri, { userContextId });
      perms.addFromPrincipal(principal, ${JSON.stringify(permission)}, perms.ALLOW_ACTION);
      return true;`);
  }

  /** In the browser's window, with this tab before the others as `context`. */
  async #inFront<T>(body: string): Promise<T> {
    await this.send('browsingContext.activate');
    return this.#browser.evaluateInside<T>(
      `((context) => { ${body} })(gBrowser.selectedBrowser.browsingContext)`,
    );
  }

  async picture(file: string): Promise<void> {
    const { data } = await this.send('browsingContext.captureScreenshot', { origin: 'document' });
    writeFileSync(`${file}.png`, Buffer.from(String(data), 'base64'));
  }

  async close(): Promise<void> {
    await this.prefer({});
    if (this.profile === undefined) await this.send('browsingContext.close');
    else await this.#browser.send('browser.removeUserContext', { userContext: this.profile });
  }
}

export const FIREFOX: BrowserKind<FirefoxPage> = {
  name: 'Firefox',
  find: findFirefox,
  start: (program) => Firefox.start(program),
};
