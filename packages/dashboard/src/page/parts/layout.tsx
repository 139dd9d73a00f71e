// The pieces that pages are laid out with: cards, facts, tables, parts to open, and the focus of what has just appeared.

import type { ComponentChildren } from 'preact';
import { useErrorBoundary, useLayoutEffect, useRef, useState } from 'preact/hooks';

let count = 0;

/** Preact's own `useId` begins anew with each drawing of the whole page. */
export const useFreshId = (): string => useState(() => `id-${++count}`)[0];

interface CardProps {
  title: string;
  /** Beside the title. */
  aside?: ComponentChildren;
  children: ComponentChildren;
}

export function Card({ title, aside, children }: CardProps) {
  const id = useFreshId();
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

export type Fact = readonly [name: string, value: ComponentChildren];

/** Rows that are false are left out. */
export function Facts({ rows }: { rows: readonly (Fact | false)[] }) {
  return (
    <dl class="facts">
      {rows.map(
        (row) =>
          row && (
            <div>
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

export function List({ items, ...attributes }: { items: readonly ComponentChildren[]; class?: string }) {
  return (
    <ul {...attributes}>
      {items.map((item, index) => (
        <li key={index}>{item}</li>
      ))}
    </ul>
  );
}

interface TableProps {
  heads: readonly string[];
  /** The heads over numbers. */
  numbers?: readonly string[];
  class?: string;
  children: ComponentChildren;
}

export function Table({ heads, numbers = [], children, ...attributes }: TableProps) {
  return (
    <table {...attributes}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col" class={numbers.includes(head) ? 'number' : ''}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

export function Details({ summary, children }: { summary: string; children: ComponentChildren }) {
  return (
    <details>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}

export function Actions({ children }: { children: ComponentChildren }) {
  return <div class="actions">{children}</div>;
}

/** Its first field, or else its title, has the focus when it appears. */
export function Focused({ children }: { children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = place;
    (
      current?.querySelector<HTMLElement>('input, textarea') ?? current?.querySelector<HTMLElement>('h2')
    )?.focus();
  }, []);
  return <div ref={place}>{children}</div>;
}

/** A part that cannot be drawn says so, and leaves the rest of the page as it is. */
export function Boundary({ children }: { children: ComponentChildren }) {
  const [thrown] = useErrorBoundary();
  if (thrown === undefined) return children;
  return (
    <p class="problem" role="alert">
      This cannot be shown: the companion said something that the page does not understand. Load the page
      again.
    </p>
  );
}
