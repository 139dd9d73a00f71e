// Creates elements with plain calls. Text is always a text node and never markup, with escapes for invisible
// characters, so that a memo or a server's name cannot look like something else.

import { withoutHidden } from '../../../protocol/hiddenCharacters.ts';

type Handler = (event: Event) => unknown;

export type Child = Node | string | false | undefined | readonly Child[];

export interface Attributes {
  /** Names that begin with "on" are listeners. True: an empty attribute; false and undefined: no attribute. */
  readonly [name: string]: string | number | boolean | undefined | Handler;
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

const SVG = 'http://www.w3.org/2000/svg';

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...nodesOf(children));
  return element;
}

function nodesOf(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === false || child === undefined) return [];
    if (typeof child === 'string') return [withoutHidden(child, 'kept')];
    return child instanceof Node ? [child] : nodesOf(child);
  });
}

export function replace(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren(...nodesOf(children));
}

/** Sets the text only when it differs, so that a screen reader does not repeat it. */
export function setText(element: Element, text: string): void {
  const shown = withoutHidden(text, 'kept');
  if (element.textContent !== shown) element.textContent = shown;
}

export function show(element: Element, isShown: boolean): void {
  element.toggleAttribute('hidden', !isShown);
}

let count = 0;

/** A new id for `for`, `aria-labelledby` and the like. */
export function freshId(): string {
  count += 1;
  return `id-${count}`;
}
