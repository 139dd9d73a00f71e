// <companion-checkout>: an invoice as its payer sees it, in a shadow root. It runs under a policy that allows no inline style
// and no markup made of text (Trusted Types).

import { type CheckoutInvoice, timeLeft } from './checkoutStatus.ts';
import { follow, invoiceOf, WAIT_SECONDS } from './follow.ts';
import { amountText, checkoutLook, fillIn, type QrOutline, qrOutline } from './look.ts';
import { type CheckoutTexts, checkoutTexts } from './texts.ts';

const SVG = 'http://www.w3.org/2000/svg';
const DEADLINE_MS = (WAIT_SECONDS + 15) * 1000;
/** One lost question is no news. */
const TOLD_FAILURES = 2;
const PROPERTIES = ['invoice', 'src', 'texts'] as const;

/** Servers that render pages load this module too. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

let sheet: CSSStyleSheet | undefined;
function sharedSheet(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
  }
  return sheet;
}

function made<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: Element[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Only what differs is written: the same words again would be read out again. */
function write(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** The parts of the card, made once, so that the focus stays where it is. */
function makeCard() {
  const parts = {
    amount: made('p', { part: 'amount', class: 'amount' }),
    headline: made('p', { part: 'headline', class: 'headline' }),
    lines: made('div', { part: 'lines' }),
    code: made('div', { part: 'code', class: 'code' }),
    clock: made('p', { part: 'clock', role: 'timer' }),
    link: made('a', { part: 'link' }),
    address: made('code', { part: 'address' }),
    copy: made('button', { part: 'copy', type: 'button' }),
    status: made('p', { role: 'status' }),
  };
  const { amount, headline, lines, code, clock, link, address, copy, status } = parts;
  const pay = made('div', { class: 'pay' }, code, clock, link, address, copy, status);
  const card = made(
    'section',
    { part: 'card' },
    amount,
    made('div', { role: 'status' }, headline, lines),
    pay,
  );
  return { ...parts, pay, card };
}

export class CompanionCheckout extends Base {
  static observedAttributes = ['invoice', 'src', 'lang'];

  readonly #parts = makeCard();
  #invoice: CheckoutInvoice | null = null;
  #texts: Partial<CheckoutTexts> = {};
  #failures = 0;
  #aheadMs = 0;
  #isCopied = false;
  #shownCode = '';
  #stop: AbortController | undefined;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sharedSheet()];
    root.append(this.#parts.card);
    this.#parts.copy.addEventListener('click', () => void this.#copy());
  }

  /** Object, JSON or null. */
  get invoice(): CheckoutInvoice | null {
    return this.#invoice;
  }

  set invoice(value: CheckoutInvoice | string | null) {
    this.#invoice = typeof value === 'string' ? invoiceOf(value) : value;
    this.#show();
  }

  /** Where the shop's server answers with the invoice. */
  get src(): string {
    return this.getAttribute('src') ?? '';
  }

  set src(value: string) {
    this.setAttribute('src', value);
  }

  /** In the place of those that the checkout has. */
  get texts(): Partial<CheckoutTexts> {
    return this.#texts;
  }

  set texts(value: Partial<CheckoutTexts>) {
    this.#texts = value;
    this.#show();
  }

  connectedCallback(): void {
    // Set before the element was defined, they hide the accessors.
    for (const name of PROPERTIES) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete (this as Record<string, unknown>)[name];
      Object.assign(this, { [name]: value });
    }
    this.#begin();
  }

  disconnectedCallback(): void {
    this.#stop?.abort();
    this.#stop = undefined;
  }

  attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    if (before === value) return;
    if (name === 'invoice') this.invoice = value;
    else if (name === 'src') {
      if (this.#stop !== undefined) this.#begin();
    } else this.#show();
  }

  /** Also when the page is looked at again: a phone that showed the wallet meanwhile has cut the connection. */
  #begin(): void {
    this.#stop?.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const tick = setInterval(() => this.#show(), 1000);
    signal.addEventListener('abort', () => clearInterval(tick));
    const again = (): void => (document.hidden ? undefined : this.#begin());
    document.addEventListener('visibilitychange', again, { signal });
    if (this.src !== '') void follow(new URL(this.src, document.baseURI).href, signal, this.#following());
    this.#show();
  }

  #following(): Parameters<typeof follow>[2] {
    return {
      ask: (url, signal) =>
        fetch(url, {
          cache: 'no-store',
          headers: { accept: 'application/json' },
          signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
        }),
      pause: (ms, signal) =>
        new Promise((resolve) => {
          setTimeout(resolve, ms);
          signal.addEventListener('abort', () => resolve(), { once: true });
        }),
      now: Date.now,
      random: Math.random,
      changed: (invoice, aheadMs) => this.#changed(invoice, aheadMs),
      lost: (failures) => {
        this.#failures = failures;
        this.#show();
      },
    };
  }

  #changed(invoice: CheckoutInvoice, aheadMs: number): void {
    const isChange = essence(invoice) !== essence(this.#invoice);
    this.#failures = 0;
    this.#aheadMs = aheadMs;
    this.invoice = invoice;
    if (isChange)
      this.dispatchEvent(new CustomEvent('change', { detail: invoice, bubbles: true, composed: true }));
  }

  #show(): void {
    const invoice = this.#invoice;
    const texts = { ...checkoutTexts(this.lang ? [this.lang] : navigator.languages), ...this.#texts };
    const parts = this.#parts;
    parts.card.lang = texts.lang;
    const offline = this.#failures < TOLD_FAILURES ? [] : [texts.offline];
    parts.amount.hidden = !invoice || invoice.amount_zatoshi === null;
    parts.pay.hidden = true;
    if (invoice === null) {
      writeLines(parts.lines, offline);
      return;
    }
    const nowMs = Date.now() + this.#aheadMs;
    const look = checkoutLook(invoice, texts, nowMs);
    parts.card.className = look.tone;
    write(parts.amount, amountText(invoice.amount_zatoshi ?? 0, texts));
    write(parts.headline, look.headline);
    parts.headline.hidden = look.headline === '';
    writeLines(parts.lines, [...look.lines, ...offline]);
    parts.pay.hidden = !look.isPayable;
    parts.link.hidden = !look.isRequestRight;
    if (look.isRequestRight) parts.link.href = invoice.uri;
    else parts.link.removeAttribute('href');
    this.#showCode(look.isRequestRight ? (invoice.qr ?? '') : '', texts.code);
    write(parts.clock, fillIn(texts.time, { time: timeLeft(invoice.expires_at, nowMs) }));
    write(parts.link, texts.link);
    write(parts.address, invoice.address);
    write(parts.copy, texts.copy);
    write(parts.status, this.#isCopied ? texts.copied : '');
  }

  #showCode(svg: string, label: string): void {
    const shown = svg && `${label} ${svg}`;
    if (shown === this.#shownCode) return;
    this.#shownCode = shown;
    const outline = qrOutline(svg);
    this.#parts.code.replaceChildren(...(outline === undefined ? [] : [picture(outline, label)]));
  }

  async #copy(): Promise<void> {
    const { address } = this.#parts;
    try {
      await navigator.clipboard.writeText(address.textContent ?? '');
      this.#isCopied = true;
      this.#show();
    } catch {
      // Without leave, or without https: it is marked, and the keyboard copies it.
      getSelection()?.selectAllChildren(address);
    }
  }
}

function picture({ width, path }: QrOutline, label: string): SVGElement {
  const drawn = document.createElementNS(SVG, 'svg');
  const attributes = { viewBox: `0 0 ${width} ${width}`, role: 'img', 'aria-label': label };
  for (const [name, value] of Object.entries(attributes)) drawn.setAttribute(name, value);
  drawn.appendChild(document.createElementNS(SVG, 'path')).setAttribute('d', path);
  return drawn;
}

function writeLines(box: Element, lines: readonly string[]): void {
  if ([...box.children].map(({ textContent }) => textContent).join('\n') === lines.join('\n')) return;
  box.replaceChildren(
    ...lines.map((line) => {
      const paragraph = made('p');
      paragraph.textContent = line;
      return paragraph;
    }),
  );
}

/** What a page wants to hear of. */
const essence = (invoice: CheckoutInvoice | null): string =>
  JSON.stringify([
    invoice?.state,
    invoice?.exception,
    invoice?.received_zatoshi,
    invoice?.unmined_zatoshi ?? 0,
  ]);

/** Makes the element known to the page, once. */
export function defineCheckout(name = 'companion-checkout'): void {
  if (customElements.get(name) === undefined) customElements.define(name, CompanionCheckout);
}

// The checkout's style, for a constructed sheet: a policy that refuses inline styles lets it pass. Colours follow the page's
// `color-scheme`, and the shop's custom properties.
const STYLE = `
:host { display: block; }
[hidden] { display: none !important; }
section {
  box-sizing: border-box; max-width: 24rem; padding: 1rem; margin: 0 auto; text-align: center;
  font: 1rem/1.4 var(--checkout-font, system-ui, sans-serif);
  color: var(--checkout-text, CanvasText); background: var(--checkout-background, Canvas);
  border: 1px solid var(--checkout-border, GrayText); border-radius: var(--checkout-radius, .5rem);
  border-top: .4rem solid var(--checkout-accent, #1b5fad);
}
section.part { border-top-color: var(--checkout-part, #9a6700); }
section.good { border-top-color: var(--checkout-good, #1a7f37); }
section.over { border-top-color: var(--checkout-over, #b3261e); }
p { margin: .5rem 0; }
.amount { font-size: 1.6rem; font-weight: 600; }
.headline { font-size: 1.2rem; font-weight: 600; }
.code svg { width: 100%; max-width: 17rem; background: #fff; fill: #000; forced-color-adjust: none; }
.pay { display: grid; gap: .75rem; }
code { font-size: .8rem; overflow-wrap: anywhere; user-select: all; }
a, button {
  font: inherit; padding: .6rem 1rem; border-radius: var(--checkout-radius, .5rem); cursor: pointer; text-decoration: none;
  border: 1px solid var(--checkout-accent, #1b5fad);
}
a { color: var(--checkout-on-accent, #fff); background: var(--checkout-accent, #1b5fad); }
button { color: inherit; background: transparent; }
:focus-visible { outline: 3px solid var(--checkout-accent, #1b5fad); outline-offset: 2px; }
`;
