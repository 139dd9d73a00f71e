// A copy button that confirms the copy on the screen and to screen readers.

import { useState } from 'preact/hooks';
import { useApp } from './app.ts';

const SHOWN_MS = 2_000;

export function CopyButton({ what, text }: { what: string; text: string }) {
  const { store } = useApp();
  const [shown, setShown] = useState('Copy');
  const copy = async () => {
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    setShown(isCopied ? 'Copied' : 'Select and copy it');
    store.say(isCopied ? `Copied: ${what}.` : 'The browser did not allow copying.');
    setTimeout(() => setShown('Copy'), SHOWN_MS);
  };
  return (
    <button type="button" class="quiet small" aria-label={`Copy ${what}`} onClick={copy}>
      {shown}
    </button>
  );
}
