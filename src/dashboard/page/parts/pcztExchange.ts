// Moves a PCZT to the signer and back: a file that the browser saves, and a file that is chosen or dropped. The window
// has no downloads and not everywhere a file chooser: there the user copies and pastes it as text.

import { pcztText } from '../../model/payments.ts';
import { announce } from './announce.ts';
import type { App } from './app.ts';
import { copyButton } from './copy.ts';
import { type Child, freshId, h, setText, show } from './dom.ts';
import { actionButton, field, form, Objection, problemText } from './form.ts';

/** Far more than any payment needs. */
const MAX_BYTES = 1 << 22;

/** `read` fetches the PCZT on demand: it grows as signatures are added. */
export function takeAway(app: App, id: string, read: () => Promise<string>): Child {
  const name = `payment-${id.slice(0, 8)}.pczt`;
  if (app.store.transport.kind === 'browser') {
    return actionButton('Save as a file', 'quiet', async () => {
      const bytes = Uint8Array.from(atob(await read()), (letter) => letter.charCodeAt(0));
      const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
      h('a', { href: url, download: name }).click();
      // By then the browser has read it.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
      announce(`${name} was saved.`);
    });
  }
  const text = h('code', {}, '');
  const place = h('p', { class: 'address', hidden: true }, text);
  return [
    actionButton('Show as text', 'quiet', async () => {
      setText(text, await read());
      show(place, true);
    }),
    copyButton('the PCZT', () => text.textContent ?? ''),
    place,
  ];
}

/** `take` receives the PCZT in base64; its errors are shown here. */
export function takeBack(take: (pczt: string) => Promise<void>): HTMLElement {
  const id = freshId();
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const file = h('input', { type: 'file', id, accept: '.pczt,.txt,application/octet-stream' });
  let isBusy = false;
  const read = async (chosen: File | undefined): Promise<void> => {
    if (chosen === undefined || isBusy) return;
    isBusy = true;
    show(problem, false);
    try {
      if (chosen.size > MAX_BYTES) throw new Objection('This file is too large for a PCZT.');
      const pczt = pcztText(new Uint8Array(await chosen.arrayBuffer()));
      if (pczt === undefined) throw new Objection('This file is no PCZT, neither as bytes nor in base64.');
      await take(pczt);
    } catch (thrown) {
      setText(problem, problemText(thrown));
      show(problem, true);
    } finally {
      isBusy = false;
      file.value = '';
    }
  };
  file.addEventListener('change', () => void read(file.files?.[0]));
  const zone: HTMLElement = h(
    'div',
    {
      class: 'drop',
      ondragover: (event) => {
        event.preventDefault();
        zone.classList.add('over');
      },
      ondragleave: () => zone.classList.remove('over'),
      ondrop: (event) => {
        event.preventDefault();
        zone.classList.remove('over');
        void read((event as DragEvent).dataTransfer?.files[0]);
      },
    },
    h('label', { for: id }, 'The file that came back: choose it, or drop it here'),
    file,
    problem,
  );
  const pasted = field('The text', h('textarea', { rows: 3, spellcheck: 'false', required: true }));
  return h(
    'div',
    {},
    zone,
    h(
      'details',
      {},
      h('summary', {}, 'It came back as text'),
      form({
        fields: [pasted.element],
        submit: 'Take it',
        buttonClass: 'quiet',
        act: async () => {
          const pczt = pcztText(new TextEncoder().encode(pasted.input.value));
          if (pczt === undefined) throw new Objection('This is no PCZT in base64.', pasted);
          await take(pczt);
          pasted.input.value = '';
        },
      }),
    ),
  );
}
