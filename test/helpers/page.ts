// A tab of a real browser as the tests use it. Each browser has its own protocol (chromium.ts, firefox.ts, webkit.ts); what
// can be done by evaluating scripts is here, once.

/** As the protocols name them: Chromium's key code, and the code point of WebDriver. */
export const KEYS = {
  Tab: { code: 'Tab', keyCode: 9, codePoint: '\uE004' },
  Enter: { code: 'Enter', keyCode: 13, codePoint: '\uE007' },
  Shift: { code: 'ShiftLeft', keyCode: 16, codePoint: '\uE008' },
  End: { code: 'End', keyCode: 35, codePoint: '\uE010' },
  ArrowLeft: { code: 'ArrowLeft', keyCode: 37, codePoint: '\uE012' },
} as const;

export type Key = keyof typeof KEYS;

export interface Preferences {
  readonly colours?: 'light' | 'dark';
  readonly motion?: 'reduce';
}

export interface EvaluateOptions {
  /** As in the handler of a click: what a browser does only for a person is done. */
  readonly asPerson?: boolean;
}

/** The document and the shadow roots in it, which the document itself does not look into. */
const ROOTS = `(function all(root) { return [root, ...[...root.querySelectorAll('*')].flatMap((e) => e.shadowRoot === null ? [] : all(e.shadowRoot))]; })(document)`;
const TEXT = `${ROOTS}.flatMap((root) => root === document ? [document.body?.innerText] : [...root.children].map((e) => e.innerText)).join('\\n')`;
const all = (selector: string): string =>
  `${ROOTS}.flatMap((root) => [...root.querySelectorAll('${selector}')])`;

const controlNamed = (label: string): string =>
  `${all('input, textarea, select')}.find((e) => e.checkVisibility() && (e.labels?.[0]?.innerText.trim() === ${JSON.stringify(label)} || e.getAttribute('aria-label') === ${JSON.stringify(label)}))`;

export abstract class Page {
  /** What the page complained about: uncaught errors, refused by policy, failed to load. */
  readonly complaints: string[] = [];
  /** Every address that was requested. */
  readonly requested: string[] = [];

  /** The icon is what a browser looks for by itself: not all report what a policy forbids of it. */
  protected complain(text: string): void {
    if (!text.includes('/favicon.ico')) this.complaints.push(text);
  }

  abstract open(url: string): Promise<void>;
  abstract reload(): Promise<void>;
  /** The value of an expression, awaited; the page's policy does not hold here. */
  abstract evaluate<T>(expression: string, options?: EvaluateOptions): Promise<T>;
  /** A script that each later document of this tab runs before its own. */
  abstract runFirst(source: string): Promise<void>;
  /** Types into what has the focus. */
  abstract insert(text: string): Promise<void>;
  abstract press(key: Key): Promise<void>;
  /** With the mouse. */
  abstract pointAt(x: number, y: number): Promise<void>;
  abstract clickAt(x: number, y: number): Promise<void>;
  abstract resize(width: number, height: number): Promise<void>;
  /** What the person prefers, from here on. False where the browser cannot be made to believe it. */
  abstract prefer(preferences: Preferences): Promise<boolean>;
  /** The browser's language, from the next document on. */
  abstract speak(language: string): Promise<void>;
  /** The addresses of the tab's history. */
  abstract history(): Promise<string[]>;
  /** `file`: without the ending of its format. */
  abstract picture(file: string): Promise<void>;
  abstract close(): Promise<void>;

  /** As soon as the expression is true; evaluated again a moment later. No deadline. */
  async until(expression: string): Promise<void> {
    for (;;) {
      // A page that is just being exchanged for another has no answer.
      const isTrue = await this.evaluate<boolean>(`!!(${expression})`).catch(() => false);
      if (isTrue) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** Until the page's text has this. */
  see(text: string): Promise<void> {
    return this.until(`${TEXT}.includes(${JSON.stringify(text)})`);
  }

  text(): Promise<string> {
    return this.evaluate(TEXT);
  }

  /** Types as a keyboard does, into the control with this label. */
  async type(label: string, text: string): Promise<void> {
    await this.until(controlNamed(label));
    await this.evaluate(`{ const input = ${controlNamed(label)}; input.focus(); input.select?.(); }`);
    await this.insert(text);
  }

  async choose(label: string, value: string): Promise<void> {
    await this.until(controlNamed(label));
    await this.evaluate(
      `{ const input = ${controlNamed(label)}; input.value = ${JSON.stringify(value)}; input.dispatchEvent(new Event('input')); input.dispatchEvent(new Event('change')); }`,
    );
  }

  /** A button, link, summary or label by its text. */
  async click(text: string): Promise<void> {
    const found = clickable(text);
    await this.until(found);
    await this.evaluate(`(${found}).click()`);
  }

  /** The same with the mouse: between the events of a person's click the page may draw itself anew, within `click` it cannot. */
  async clickByMouse(text: string): Promise<void> {
    const found = clickable(text);
    await this.until(found);
    const [x, y] = await this.evaluate<[number, number]>(
      `((element) => { element.scrollIntoView({ block: 'center' }); const { left, top, height } = element.getBoundingClientRect(); return [left + 5, top + height / 2]; })(${found})`,
    );
    await this.clickAt(x, y);
  }
}

const clickable = (text: string): string =>
  `${all('button, a, summary, label')}.find((e) => e.checkVisibility() && (e.innerText.trim() === ${JSON.stringify(text)} || e.getAttribute('aria-label') === ${JSON.stringify(text)} || e.querySelector('strong')?.innerText === ${JSON.stringify(text)}))`;

/** A browser that tests may run in. */
export interface BrowserKind<P extends Page = Page> {
  readonly name: string;
  /** The program, or undefined. */
  find(): string | undefined;
  start(program: string, flags?: readonly string[]): Promise<Browser<P>>;
}

export interface Browser<P extends Page = Page> {
  /** A tab with storage of its own, or beside another one that it shares it with. */
  page(beside?: P): Promise<P>;
  stop(): Promise<void>;
}
