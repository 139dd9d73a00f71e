// Texts with a form of their own: amounts, memos, addresses, phrases, failures. What other people wrote is shown as text with
// its direction isolated, and every text node of the page has escapes for characters that nobody sees.

import { withoutHidden } from '@wallet-companion/client/contract';
import { options } from 'preact';
import { UNIT } from '../../model/amounts.ts';
import { useApp } from './app.ts';

/** A memo or a server's name must not look like something else. Preact makes a node of the type null for each text. */
export function escapeHidden(): void {
  options.vnode = (node: { props: unknown }) => {
    if (typeof node.props === 'string') node.props = withoutHidden(node.props, 'kept');
  };
}

/** Every digit, trailing zeros fainter. Screen readers and copies get the whole amount. */
export function Amount({ zatoshi }: { zatoshi: number }) {
  return <Digits zatoshi={zatoshi} />;
}

export function Change({ zatoshi }: { zatoshi: number }) {
  const isOut = zatoshi < 0;
  return <Digits zatoshi={Math.abs(zatoshi)} sign={isOut ? '\u2212' : '+'} kind={isOut ? ' out' : ' in'} />;
}

function Digits({ zatoshi, sign = '', kind = '' }: { zatoshi: number; sign?: string; kind?: string }) {
  const { bold, faint } = useApp().formats.amount(zatoshi);
  return (
    <span class={`amount${kind}`}>
      {sign + bold}
      <span class="idle">{faint}</span>
      {`\u00a0${UNIT}`}
    </span>
  );
}

interface MemoContent {
  readonly text?: string | undefined;
  readonly hex?: string | undefined;
}

export function Memo({ memo }: { memo: MemoContent | null }) {
  if (memo === null) return null;
  if (memo.text !== undefined) {
    return (
      <blockquote class="memo" dir="auto">
        {memo.text}
      </blockquote>
    );
  }
  return (
    <details class="memo-bytes">
      <summary>A memo that is not text</summary>
      <code>{(memo.hex ?? '').replace(/(?:00)+$/, '')}</code>
    </details>
  );
}

export function Label({ text }: { text: string | null | undefined }) {
  return text == null ? null : <bdi class="tag">{text}</bdi>;
}

/** In a box, selected as a whole. */
export function Boxed({ text }: { text: string }) {
  return (
    <p class="address" ref={wiped}>
      <code>{text}</code>
    </p>
  );
}

/** A recovery phrase as a numbered grid. */
export function Phrase({ text }: { text: string }) {
  return (
    <ol class="phrase" aria-label="Recovery phrase" ref={wiped}>
      {text.split(' ').map((word, index) => (
        <li key={index}>
          <span class="word">{word}</span>
        </li>
      ))}
    </ol>
  );
}

/** Empties the texts of an element that leaves the page: the browser may keep the element for a while. */
const wiped = (element: Element | null) => () => {
  for (const secret of element?.querySelectorAll('.word, code') ?? []) secret.textContent = '';
};

export function Problem({ text }: { text: string | undefined }) {
  return text ? (
    <p class="problem" role="alert">
      {text}
    </p>
  ) : null;
}

export function Hint({ text }: { text: string | undefined }) {
  return text ? <p class="hint">{text}</p> : null;
}
