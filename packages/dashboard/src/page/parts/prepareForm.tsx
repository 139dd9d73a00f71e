// Recipient and amount. The companion first refuses what would become public, and the user then agrees to it by name:
// any change of the form withdraws the consent, since it was given for other amounts.

import { CompanionError } from '@wallet-companion/client';
import { useState } from 'preact/hooks';
import { CONSENT_TEXT, type Consent, consentsNamed, type Prepared } from '../../model/payments.ts';
import { call } from '../app.ts';
import { useAnswer } from './calls.ts';
import { AmountField, Field, Form, type Typed, typedZatoshi } from './form.tsx';
import { Focused } from './layout.tsx';
import { Hint } from './text.tsx';

const isUri = (text: string): boolean => /^\s*zcash:/i.test(text);

export function PrepareForm({ prepared }: { prepared: (payment: Prepared) => void }) {
  const [refused, setRefused] = useState<CompanionError>();
  const [agreed, setAgreed] = useState<readonly Consent[]>([]);
  const [isRequest, setRequest] = useState(false);
  const [isAll, setAll] = useState(false);
  // The default account is there without an answer.
  const [{ value = { accounts: [{ account: 0 }] } }] = useAnswer(() => call('accounts.list'), []);
  const accounts = value.accounts.map(({ account }) => [String(account), String(account)] as const);

  const refuse = (error: CompanionError | undefined) => {
    setRefused(error);
    setAgreed([]);
  };
  const inputOf = (typed: Typed) => {
    const to = typed('to').trim();
    const privacy = agreed.length === 0 ? {} : { privacy: [...agreed] };
    const common = { account: Number(typed('account')), ...privacy };
    if (isUri(to)) return { ...common, uri: to };
    const memo = typed('memo') === '' ? {} : { memo: typed('memo') };
    return {
      ...common,
      address: to,
      ...memo,
      ...(isAll ? { everything: true } : { zatoshi: typedZatoshi(typed) }),
    };
  };
  const prepare = async (typed: Typed, form: HTMLFormElement) => {
    try {
      const payment = await call('payments.prepare', inputOf(typed));
      form.reset();
      refuse(undefined);
      setRequest(false);
      setAll(false);
      prepared(payment);
    } catch (thrown) {
      if (!(thrown instanceof CompanionError) || thrown.code !== 'CONSENT_NEEDED') throw thrown;
      refuse(thrown);
    }
  };
  const changed = ({ target }: Event) => (target as Element).closest('.consents') ?? refuse(undefined);
  const agree = (name: Consent, isAgreed: boolean) =>
    setAgreed([...agreed.filter((one) => one !== name), ...(isAgreed ? [name] : [])]);
  const help = 'An address, or a payment request: a link that begins with zcash:';
  return (
    <Form submit="Prepare" act={prepare} onInput={changed}>
      <Field name="to" label="To" kind="recipient" onText={(text) => setRequest(isUri(text))} help={help} />
      {/* A payment request contains its amount. */}
      <AmountField help="In ZEC." hidden={isRequest || isAll} />
      <label class="check" hidden={isRequest}>
        <input type="checkbox" checked={isAll} onChange={(event) => setAll(event.currentTarget.checked)} />
        Send everything that can be sent
      </label>
      <Field
        name="memo"
        label="Memo"
        kind="memo"
        hidden={isRequest}
        help="Only the recipient and you can read it."
      />
      <Field name="account" label="From account" hidden={accounts.length < 2} options={accounts} />
      {refused && (
        <Focused key={refused}>
          <fieldset class="consents">
            <legend>Everybody would see something of this payment</legend>
            <Hint text={refused.message} />
            {consentsFor(refused).map((name) => (
              <label key={name} class="check">
                <input
                  type="checkbox"
                  checked={agreed.includes(name)}
                  onChange={(event) => agree(name, event.currentTarget.checked)}
                />
                {CONSENT_TEXT[name]}
              </label>
            ))}
            <Hint text="Tick what may be seen, and prepare it once more." />
          </fieldset>
        </Focused>
      )}
    </Form>
  );
}

function consentsFor({ message, errors = [] }: CompanionError): readonly Consent[] {
  const named = consentsNamed([message, ...errors.flatMap((field) => [field.path, field.message])].join(' '));
  return named.length > 0 ? named : (Object.keys(CONSENT_TEXT) as Consent[]);
}
