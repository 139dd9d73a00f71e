// What the browser saves as a file. The page makes it of answers: a link to the companion would carry no token.

import { sharedTexts } from '../../texts/shared.ts';
import { store } from '../live/app.ts';

export function save(name: string, content: BlobPart, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  // By then the browser has read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  store.announce(sharedTexts().saved(name));
}
