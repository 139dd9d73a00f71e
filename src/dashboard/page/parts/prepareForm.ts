// Recipient and amount. The companion first refuses what would become public, and the user then agrees to it by name:
// any change of the form withdraws the consent, since it was given for other amounts.

import { CompanionError } from '@wallet-companion/client';
import { CONSENT_TEXT, type Consent, consentsNamed, type Prepared } from '../../model/payments.ts';
import type { App } from './app.ts';
import { type Child, h, replace, show } from './dom.ts';
import { field, form, Objection, textField } from './form.ts';

export function prepareForm(app: App, prepared: (payment: Prepared) => void): HTMLElement {
  const to = textField(
    'To',
    { maxlength: 16_384, required: true },
    'An address, or a payment request: a link that begins with zcash:',
  );
  const amount = textField('Amount', { inputmode: 'decimal', maxlength: 20, class: 'short' }, 'In ZEC.');
  const memo = textField('Memo', { maxlength: 512 }, 'Only the recipient and you can read it.');
  const everything = h('input', { type: 'checkbox' });
  const account = field('From account', h('select', {}, h('option', { value: '0' }, '0')));
  const consents = h('fieldset', { class: 'consents', hidden: true });
  let boxes: readonly (readonly [Consent, HTMLInputElement])[] = [];

  const askNothing = (): void => {
    boxes = [];
    replace(consents);
    show(consents, false);
  };
  const ask = (error: CompanionError): void => {
    const said = [error.message, ...(error.errors ?? []).map(({ path, message }) => `${path} ${message}`)];
    const named = consentsNamed(said.join(' '));
    const wanted = named.length > 0 ? named : (Object.keys(CONSENT_TEXT) as Consent[]);
    boxes = wanted.map((name) => [name, h('input', { type: 'checkbox' })] as const);
    replace(
      consents,
      h('legend', {}, 'Everybody would see something of this payment'),
      h('p', { class: 'hint' }, error.message),
      boxes.map(([name, box]) => h('label', { class: 'check' }, box, CONSENT_TEXT[name])),
      h('p', { class: 'hint' }, 'Tick what may be seen, and prepare it once more.'),
    );
    show(consents, true);
    boxes[0]?.[1].focus();
  };
  const setRequest = (): void => {
    // A payment request contains its amount.
    const isRequest = isUri(to.input.value);
    show(amount.element, !isRequest && !everything.checked);
    show(memo.element, !isRequest);
    show(all, !isRequest);
  };
  const all = h('label', { class: 'check' }, everything, 'Send everything that can be sent');
  for (const { input } of [to, amount, memo, account]) input.addEventListener('input', askNothing);
  to.input.addEventListener('input', setRequest);
  everything.addEventListener('change', () => {
    askNothing();
    setRequest();
  });

  const input = () => {
    const target = to.input.value.trim();
    const privacy = boxes.filter(([, box]) => box.checked).map(([name]) => name);
    const common = {
      account: Number(account.input.value),
      ...(privacy.length === 0 ? {} : { privacy }),
    };
    if (isUri(target)) return { ...common, uri: target };
    const text = memo.input.value;
    const sent = { ...common, address: target, ...(text === '' ? {} : { memo: text }) };
    if (everything.checked) return { ...sent, everything: true };
    const zatoshi = app.formats.typedAmount(amount.input.value);
    if (zatoshi === undefined)
      throw new Objection(`This is not an amount. Write it like ${app.formats.example()}.`, amount);
    return { ...sent, zatoshi };
  };

  const fields: readonly Child[] = [to.element, amount.element, all, memo.element, account.element, consents];
  const element = form({
    fields,
    submit: 'Prepare',
    act: async () => {
      try {
        const payment = await app.call('payments.prepare', input());
        for (const { input: box } of [to, amount, memo]) box.value = '';
        everything.checked = false;
        askNothing();
        setRequest();
        prepared(payment);
      } catch (thrown) {
        if (!(thrown instanceof CompanionError) || thrown.code !== 'CONSENT_NEEDED') throw thrown;
        ask(thrown);
      }
    },
  });
  show(account.element, false);
  void app
    .call('accounts.list')
    .then(({ accounts }) => {
      replace(
        account.input,
        accounts.map(({ account: index }) => h('option', { value: index }, String(index))),
      );
      show(account.element, accounts.length > 1);
    })
    // The default account stays selected.
    .catch(() => undefined);
  return element;
}

const isUri = (text: string): boolean => /^\s*zcash:/i.test(text);
