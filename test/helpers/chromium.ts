// A real Chromium, spoken to by its DevTools protocol over two pipes: nothing listens, and no driver package is needed.
// Where none is installed, the tests that want one count as skipped.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { installedProgram } from './installedProgram.ts';
import {
  type Browser,
  type BrowserKind,
  type EvaluateOptions,
  KEYS,
  type Key,
  Page,
  type Preferences,
} from './page.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The program, or undefined. `WALLET_COMPANION_CHROMIUM` names another. */
export const findChromium = (): string | undefined => installedProgram(NAMES, 'WALLET_COMPANION_CHROMIUM');

type Fields = Readonly<Record<string, unknown>>;
type Listener = (params: Fields) => void;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Fields;
  readonly result?: Fields;
  readonly error?: { readonly message: string };
}

interface Waiting {
  resolve(result: Fields): void;
  reject(reason: Error): void;
}

export class Chromium implements Browser<ChromiumPage> {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #out: Writable;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, Set<Listener>>();
  #count = 0;
  #rest = '';

  private constructor(child: ChildProcess, folder: string) {
    this.#process = child;
    this.#folder = folder;
    this.#out = child.stdio[3] as Writable;
    this.#out.on('error', () => undefined);
    (child.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => this.#read(text));
    child.once('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser has ended'));
    });
  }

  static async start(program: string, more: readonly string[] = []): Promise<Chromium> {
    const folder = mkdtempSync(path.join(tmpdir(), 'companion-chromium-'));
    const flags = [
      '--headless=new',
      '--remote-debugging-pipe',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--no-default-browser-check',
      // No call of its own leaves the machine.
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--lang=en-US',
      '--hide-scrollbars',
      `--user-data-dir=${folder}`,
      ...more,
      'about:blank',
    ];
    const child = spawn(program, flags, {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      env: { ...process.env, HOME: folder, LANGUAGE: 'en_US' },
    });
    const browser = new Chromium(child, folder);
    await browser.send('Browser.getVersion');
    return browser;
  }

  send(method: string, params: Fields = {}, sessionId?: string): Promise<Fields> {
    this.#count += 1;
    const id = this.#count;
    const sent = new Promise<Fields>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    const session = sessionId === undefined ? {} : { sessionId };
    this.#out.write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    return sent;
  }

  on(method: string, sessionId: string, listener: Listener): void {
    const key = `${sessionId} ${method}`;
    this.#listeners.set(key, (this.#listeners.get(key) ?? new Set()).add(listener));
  }

  /** A tab with storage of its own, or beside another one that it shares it with. */
  async page(beside?: ChromiumPage): Promise<ChromiumPage> {
    const context = beside?.context ?? (await this.send('Target.createBrowserContext'))['browserContextId'];
    return this.#open('about:blank', { browserContextId: context });
  }

  /** A tab in the browser's own profile, where the extensions are. */
  tab(url = 'about:blank'): Promise<ChromiumPage> {
    return this.#open(url, {});
  }

  async #open(url: string, where: Fields): Promise<ChromiumPage> {
    const { targetId } = await this.send('Target.createTarget', { url, ...where });
    return this.attach(String(targetId), where['browserContextId'] as string | undefined);
  }

  /** To a tab, or to another thing that runs scripts. */
  async attach(targetId: string, context?: string): Promise<ChromiumPage> {
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    return ChromiumPage.attach(this, String(sessionId), context);
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const exited = once(this.#process, 'exit');
      // Its other processes end with it and write until then.
      await this.send('Browser.close').catch(() => this.#process.kill('SIGKILL'));
      await exited;
    }
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }

  #read(text: string): void {
    const parts = (this.#rest + text).split('\0');
    this.#rest = parts.pop() ?? '';
    for (const part of parts) this.#take(JSON.parse(part) as Message);
  }

  #take({ id, method, sessionId = '', params = {}, result = {}, error }: Message): void {
    if (id === undefined) {
      for (const listener of this.#listeners.get(`${sessionId} ${method}`) ?? []) listener(params);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error.message));
  }
}

interface Evaluated {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: {
    readonly text: string;
    readonly exception?: { readonly description?: string };
  };
}

export class ChromiumPage extends Page {
  readonly #browser: Chromium;
  readonly #session: string;
  /** None: the browser's own profile. */
  readonly context: string | undefined;

  private constructor(browser: Chromium, session: string, context: string | undefined) {
    super();
    this.#browser = browser;
    this.#session = session;
    this.context = context;
  }

  static async attach(
    browser: Chromium,
    session: string,
    context: string | undefined,
  ): Promise<ChromiumPage> {
    const page = new ChromiumPage(browser, session, context);
    browser.on('Runtime.exceptionThrown', session, ({ exceptionDetails }) =>
      page.complaints.push(JSON.stringify(exceptionDetails)),
    );
    browser.on('Log.entryAdded', session, ({ entry }) => {
      const { level, text } = entry as { level: string; text: string };
      if (level === 'error') page.complaints.push(text);
    });
    browser.on('Network.requestWillBeSent', session, ({ request }) =>
      page.requested.push((request as { url: string }).url),
    );
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.send(`${domain}.enable`);
    return page;
  }

  send(method: string, params: Fields = {}): Promise<Fields> {
    return this.#browser.send(method, params, this.#session);
  }

  /** A function of every document of this tab, which calls one here. */
  async expose(name: string, called: (payload: string) => void): Promise<void> {
    this.#browser.on('Runtime.bindingCalled', this.#session, (event) => {
      if (event['name'] === name) called(String(event['payload']));
    });
    await this.send('Runtime.addBinding', { name });
  }

  async close(): Promise<void> {
    if (this.context === undefined) await this.send('Page.close');
    else await this.#browser.send('Target.disposeBrowserContext', { browserContextId: this.context });
  }

  async open(url: string): Promise<void> {
    const { errorText } = await this.send('Page.navigate', { url });
    if (errorText !== undefined) throw new Error(`${url}: ${String(errorText)}`);
  }

  async reload(): Promise<void> {
    await this.send('Page.reload');
  }

  async evaluate<T>(expression: string, { asPerson = false }: EvaluateOptions = {}): Promise<T> {
    const options = { awaitPromise: true, returnByValue: true, userGesture: asPerson };
    const answer = (await this.send('Runtime.evaluate', { expression, ...options })) as unknown as Evaluated;
    const { exceptionDetails: thrown } = answer;
    if (thrown !== undefined) throw new Error(thrown.exception?.description ?? thrown.text);
    return answer.result.value as T;
  }

  async runFirst(source: string): Promise<void> {
    await this.send('Page.addScriptToEvaluateOnNewDocument', { source });
  }

  async insert(text: string): Promise<void> {
    await this.send('Input.insertText', { text });
  }

  async press(key: Key): Promise<void> {
    const { code, keyCode } = KEYS[key];
    const pressed = { key, code, windowsVirtualKeyCode: keyCode };
    const text = key === 'Enter' ? { text: '\r' } : {};
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', ...pressed, ...text });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...pressed });
  }

  async pointAt(x: number, y: number): Promise<void> {
    await this.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
  }

  async clickAt(x: number, y: number): Promise<void> {
    for (const type of ['mousePressed', 'mouseReleased'])
      await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
  }

  async resize(width: number, height: number): Promise<void> {
    await this.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: false,
    });
  }

  async prefer({ colours, motion }: Preferences): Promise<boolean> {
    const features = [
      { name: 'prefers-color-scheme', value: colours ?? '' },
      { name: 'prefers-reduced-motion', value: motion ?? '' },
    ];
    await this.send('Emulation.setEmulatedMedia', { features });
    return true;
  }

  async speak(language: string): Promise<void> {
    await this.send('Emulation.setLocaleOverride', { locale: language });
    await this.send('Emulation.setUserAgentOverride', { userAgent: 'Chromium', acceptLanguage: language });
  }

  async history(): Promise<string[]> {
    const { entries } = await this.send('Page.getNavigationHistory');
    return (entries as { url: string }[]).map(({ url }) => url);
  }

  /** All of the page. */
  async picture(file: string): Promise<void> {
    const look = { captureBeyondViewport: true, format: 'webp', quality: 60 };
    const { data } = await this.send('Page.captureScreenshot', look);
    writeFileSync(`${file}.webp`, Buffer.from(String(data), 'base64'));
  }
}

export const CHROMIUM: BrowserKind<ChromiumPage> = {
  name: 'Chromium',
  find: findChromium,
  start: Chromium.start,
};
