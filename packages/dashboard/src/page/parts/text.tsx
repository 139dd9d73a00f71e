// Texts with a form of their own: amounts, memos, phrases, failures. What other people wrote is shown as text with its
// direction isolated, and every text node of the page has escapes for characters that nobody sees.

import { withoutHidden } from '@wallet-companion/client/contract';
import { options } from 'preact';
import { useState } from 'preact/hooks';
import { UNIT } from '../../model/amounts.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { formats, store } from '../live/app.ts';
import { Details } from './layout.tsx';

/** A memo or a server's name must not look like something else. Preact makes a node of the type null for each text. */
export function escapeHidden(): void {
  options.vnode = (node: { props: unknown }) => {
    if (typeof node.props === 'string') node.props = withoutHidden(node.props, 'kept');
  };
}

/** Every digit, trailing zeros fainter. Screen readers and copies get the whole amount. */
export function Amount({ zatoshi, isChange = false }: { zatoshi: number | null; isChange?: boolean }) {
  if (zatoshi === null) return <>{sharedTexts().unknownAmount}</>;
  const isOut = zatoshi < 0;
  const { bold, faint } = formats.amount(isChange ? Math.abs(zatoshi) : zatoshi);
  return (
    <span class={`amount ${isChange ? (isOut ? 'out' : 'in') : ''}`}>
      {isChange && (isOut ? '\u2212' : '+')}
      {bold}
      <span class="idle">{faint}</span>
      {`\u00a0${UNIT}`}
    </span>
  );
}

export type HasMemo = { memo: { text?: string | undefined; hex?: string | undefined } | null };

export function Memo({ memo }: HasMemo) {
  if (memo === null) return null;
  if (memo.text !== undefined) return <blockquote class="memo" dir="auto" children={memo.text} />;
  return (
    <Details summary={sharedTexts().noTextMemo}>
      <code>{(memo.hex ?? '').replace(/(?:00)+$/, '')}</code>
    </Details>
  );
}

interface TextProps {
  text: string | null | undefined;
  role?: 'alert' | 'status';
}

export const Hint = ({ text, ...rest }: TextProps) =>
  text ? <p class="hint" {...rest} children={text} /> : null;
export const Notice = ({ text, ...rest }: TextProps) =>
  text ? <p class="notice" {...rest} children={text} /> : null;
export const Problem = ({ text }: TextProps) =>
  text ? <p class="problem" role="alert" children={text} /> : null;
export const Label = ({ text }: TextProps) => (text == null ? null : <bdi class="tag" children={text} />);

/** Empties the texts of an element that leaves the page: the browser may keep the element for a while. */
const wiped = (element: Element | null) => () => {
  for (const secret of element?.querySelectorAll('.word, code') ?? []) secret.textContent = '';
};

/** In a box, selected as a whole. */
export const Boxed = ({ text }: { text: string }) => (
  <p class="address" ref={wiped}>
    <code>{text}</code>
  </p>
);

/** A recovery phrase as a numbered grid. */
export const Phrase = ({ text }: { text: string }) => (
  <ol class="phrase" aria-label={sharedTexts().phrase} ref={wiped}>
    {text.split(' ').map((word, index) => (
      <li key={index}>
        <span class="word">{word}</span>
      </li>
    ))}
  </ol>
);

const CONFIRMED_MS = 2_000;

/** Confirms the copy on the screen and to screen readers. */
export function CopyButton({ what, text }: { what: string; text: string }) {
  const texts = sharedTexts();
  const [shown, setShown] = useState(texts.copy);
  const confirm = (result: string, announcement: string) => {
    setShown(result);
    store.announce(announcement);
    setTimeout(() => setShown(texts.copy), CONFIRMED_MS);
  };
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => confirm(texts.copied, texts.copiedWhat(what)),
      () => confirm(texts.copyByHand, texts.copyRefused),
    );
  return (
    <button type="button" class="quiet small" aria-label={texts.copyWhat(what)} onClick={copy}>
      {shown}
    </button>
  );
}
