// An address as text and QR code, with an optional amount and memo. Every address belongs to this wallet; a separate
// address with a label for each payer distinguishes the payers.

import type { Output } from '@wallet-companion/client';
import { announce } from '../parts/announce.ts';
import type { App, View } from '../parts/app.ts';
import { card } from '../parts/card.ts';
import { copyButton } from '../parts/copy.ts';
import { h, replace, setText } from '../parts/dom.ts';
import { actionButton, form, Objection, problemText, textField } from '../parts/form.ts';
import { qrCode } from '../parts/qrCode.ts';

type Address = Output<'address.get'>;

export function receiveView(app: App): View {
  const place = h('div', {}, h('p', { class: 'hint' }, 'Reading…'));
  const code = h('div');
  const labels = h('div');
  const label = textField(
    'Label',
    { maxlength: 100 },
    'For you alone: who pays at this address, or what for.',
  );
  const amount = textField(
    'Amount',
    { inputmode: 'decimal', maxlength: 20, class: 'short' },
    'In ZEC. Left empty, the payer chooses.',
  );
  const memo = textField(
    'Memo',
    { maxlength: 512 },
    'Comes back with the payment. Only you and the payer can read it.',
  );
  const said = h('p', { class: 'hint', role: 'status' });
  let shown: Address | undefined;
  let isGone = false;

  const showCode = async (request: { zatoshi?: number; memo?: string }): Promise<void> => {
    const index = shown?.diversifier_index;
    if (index === undefined) return;
    const { uri, image } = await app.call('payment_uri.qr', {
      diversifier_index: index,
      format: 'text',
      ...request,
    });
    if (isGone || shown?.diversifier_index !== index) return;
    const isPlain = Object.keys(request).length === 0;
    replace(
      code,
      qrCode(image, isPlain ? 'QR code of the address' : 'QR code of the request'),
      !isPlain && h('p', { class: 'address' }, h('code', {}, uri)),
      !isPlain &&
        h(
          'div',
          { class: 'actions' },
          copyButton('the request', () => uri),
        ),
    );
  };

  const showAddress = async (address: Address): Promise<void> => {
    if (isGone) return;
    shown = address;
    label.input.value = '';
    const { unified_address: unified, sapling_address: sapling } = address;
    replace(code);
    replace(
      place,
      h('p', { class: 'address' }, h('code', {}, unified)),
      h(
        'div',
        { class: 'actions' },
        copyButton('the address', () => unified),
      ),
      sapling !== null &&
        h(
          'details',
          {},
          h('summary', {}, 'For a payer with an older wallet'),
          h(
            'p',
            { class: 'hint' },
            'The Sapling address of the same wallet. Use it only where the one above is not understood.',
          ),
          h('p', { class: 'address' }, h('code', {}, sapling)),
          h(
            'div',
            { class: 'actions' },
            copyButton('the Sapling address', () => sapling),
          ),
        ),
    );
    // The address matters most; the other parts may fail, and each shows its error in its place.
    const failed = (at: HTMLElement) => (thrown: unknown) =>
      isGone || replace(at, h('p', { class: 'problem', role: 'alert' }, problemText(thrown)));
    await Promise.all([showCode({}).catch(failed(code)), showLabels().catch(failed(labels))]);
  };

  const showLabels = async (): Promise<void> => {
    const known = (await app.call('labels.list')).labels;
    if (isGone) return;
    const own = known.find(({ diversifier_index }) => diversifier_index === shown?.diversifier_index);
    // The user may already type while the request runs.
    if (label.input.value === '') label.input.value = own?.label ?? '';
    replace(
      labels,
      known.length === 0
        ? h('p', { class: 'hint' }, 'No address has a label yet.')
        : h(
            'ul',
            { class: 'labels' },
            known.map((entry) =>
              h(
                'li',
                {},
                h('span', { dir: 'auto' }, entry.label),
                actionButton('Show', 'quiet small', async () => {
                  const { account, diversifier_index } = entry;
                  await showAddress(await app.call('address.get', { account, diversifier_index }));
                  announce('The address is shown.');
                }),
              ),
            ),
          ),
    );
  };

  const element = h(
    'div',
    { class: 'columns' },
    h(
      'div',
      {},
      card(
        'Your address',
        h(
          'p',
          { class: 'hint' },
          'Whoever has this address can pay you, and cannot see what you have. It stays valid.',
        ),
        place,
        h(
          'div',
          { class: 'actions' },
          actionButton('New address', '', async () => {
            await showAddress(await app.call('address.next'));
            announce('A new address is shown.');
          }),
        ),
      ),
      card(
        'Labels',
        form({
          fields: [label.element],
          submit: 'Save the label',
          buttonClass: 'quiet',
          act: async () => {
            setText(said, '');
            if (shown === undefined) return;
            const { diversifier_index } = shown;
            const text = label.input.value.trim();
            if (text === '') await app.call('labels.remove', { diversifier_index });
            else await app.call('labels.set', { diversifier_index, label: text });
            if (label.input.value.trim() === text) label.input.value = text;
            await showLabels();
            setText(said, 'Saved.');
          },
        }),
        said,
        labels,
      ),
    ),
    h(
      'div',
      {},
      card('QR code', code),
      card(
        'Ask for an amount',
        form({
          fields: [amount.element, memo.element],
          submit: 'Make the request',
          buttonClass: 'quiet',
          act: async () => {
            const typed = amount.input.value.trim();
            const zatoshi = typed === '' ? undefined : app.formats.typedAmount(typed);
            if (typed !== '' && zatoshi === undefined) {
              throw new Objection(`This is not an amount. Write it like ${app.formats.example()}.`, amount);
            }
            const text = memo.input.value;
            await showCode({
              ...(zatoshi === undefined ? {} : { zatoshi }),
              ...(text === '' ? {} : { memo: text }),
            });
            announce('The request is shown.');
          },
        }),
      ),
    ),
  );
  app
    .call('address.get')
    .then(showAddress)
    .catch((thrown: unknown) => {
      if (!isGone) replace(place, h('p', { class: 'problem', role: 'alert' }, problemText(thrown)));
    });
  return {
    title: 'Receive',
    element,
    leave: () => {
      isGone = true;
      replace(place);
      replace(code);
      replace(labels);
    },
  };
}
