// The pieces that pages are laid out with: cards, facts, tables, parts to open, and the focus of what has just appeared.

import type { ComponentChildren } from 'preact';
import { useErrorBoundary, useState } from 'preact/hooks';
import { sharedTexts } from '../../texts/shared.ts';

let count = 0;

/** Preact's own `useId` begins anew with each drawing of the whole page. */
export const useFreshId = (): string => useState(() => `id-${++count}`)[0];

type Content = { children: ComponentChildren };

/** For `ref`: has the focus when it appears. */
export const focusOn = (element: HTMLElement | null): void => element?.focus();

const focusedInside = (card: HTMLElement | null): void =>
  focusOn(card?.querySelector<HTMLElement>('input, textarea') ?? card?.querySelector('h2') ?? null);

interface CardProps {
  title: string;
  /** Beside the title. */
  aside?: ComponentChildren;
  /** Its first field, or else its title, has the focus when it appears. */
  isFocused?: boolean;
  children: ComponentChildren;
}

export function Card({ title, aside, isFocused = false, children }: CardProps) {
  const id = useFreshId();
  return (
    <section class="card" aria-labelledby={id} ref={isFocused ? focusedInside : null}>
      <div class="card-head">
        <h2 id={id} tabIndex={-1} children={title} />
        {aside}
      </div>
      {children}
    </section>
  );
}

/** The first two cards are on the left of a wide screen, the others on the right. */
export const Columns = ({ children }: { children: readonly ComponentChildren[] }) => (
  <div class="columns">
    <div>{children.slice(0, 2)}</div>
    <div>{children.slice(2)}</div>
  </div>
);

export type Fact = readonly [name: string, value: ComponentChildren];

/** Rows that are false are left out. */
export const Facts = ({ rows }: { rows: readonly (Fact | false)[] }) => (
  <dl class="facts">
    {rows
      .filter((row) => row !== false)
      .map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

export const List = ({ items, ...rest }: { items: readonly string[]; class?: string }) => (
  <ul {...rest}>
    {items.map((item, index) => (
      <li key={index}>{item}</li>
    ))}
  </ul>
);

type TableProps = Content & { heads: readonly string[]; numbers: number; class?: string };

/** So many of the last columns are numbers. */
export const Table = ({ heads, numbers, children, ...rest }: TableProps) => (
  <table {...rest}>
    <thead>
      <tr>
        {heads.map((head, index) => (
          <th scope="col" class={index < heads.length - numbers ? '' : 'number'} children={head} />
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);

export const Details = ({ summary, children }: Content & { summary: string }) => (
  <details>
    <summary>{summary}</summary>
    {children}
  </details>
);

export const Actions = ({ children }: Content) => <div class="actions">{children}</div>;

/** A part that cannot be drawn says so, and leaves the rest of the page as it is. */
export function Boundary({ children }: Content) {
  const [thrown] = useErrorBoundary();
  return thrown === undefined ? (
    children
  ) : (
    <p class="problem" role="alert" children={sharedTexts().notShown} />
  );
}
