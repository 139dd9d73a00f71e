// A copy button that confirms the copy on the screen and to screen readers.

import { announce } from './announce.ts';
import { h } from './dom.ts';

const SHOWN_MS = 2_000;

export function copyButton(what: string, text: () => string): HTMLButtonElement {
  const label = 'Copy';
  const button = h(
    'button',
    {
      type: 'button',
      class: 'quiet small',
      'aria-label': `Copy ${what}`,
      onclick: async () => {
        const isCopied = await copy(text());
        button.textContent = isCopied ? 'Copied' : 'Select and copy it';
        announce(isCopied ? `Copied: ${what}.` : 'The browser did not allow copying.');
        setTimeout(() => {
          button.textContent = label;
        }, SHOWN_MS);
      },
    },
    label,
  );
  return button;
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
