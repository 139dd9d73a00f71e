// Recipient and amount. The companion first refuses what would become public, and the user then agrees to it by name:
// any change of the form withdraws the consent, since it was given for other amounts.

import { CompanionError } from '@wallet-companion/client';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CONSENT_TEXT, type Consent, consentsNamed, type Prepared } from '../../model/payments.ts';
import { useApp } from './app.ts';
import { useAnswer } from './calls.ts';
import { AmountField, Field, Form, TextField, type Typed, typedZatoshi } from './form.tsx';
import { Hint } from './text.tsx';

const isUri = (text: string): boolean => /^\s*zcash:/i.test(text);

export function PrepareForm({ prepared }: { prepared: (payment: Prepared) => void }) {
  const { call, formats } = useApp();
  const [refused, setRefused] = useState<CompanionError>();
  const [agreed, setAgreed] = useState<readonly Consent[]>([]);
  const [isRequest, setRequest] = useState(false);
  const [isAll, setAll] = useState(false);
  // The default account is there without an answer.
  const [{ value }] = useAnswer(() => call('accounts.list'), []);
  const accounts = value?.accounts ?? [{ account: 0 }];

  const withdraw = () => {
    setRefused(undefined);
    setAgreed([]);
  };
  const changed = ({ target }: Event) => {
    const input = target as HTMLInputElement;
    if (input.closest('.consents') === null) withdraw();
    if (input.name === 'to') setRequest(isUri(input.value));
  };
  const inputOf = (typed: Typed) => {
    const to = typed('to').trim();
    const privacy = agreed.length === 0 ? {} : { privacy: [...agreed] };
    const common = { account: Number(typed('account')), ...privacy };
    if (isUri(to)) return { ...common, uri: to };
    const memo = typed('memo') === '' ? {} : { memo: typed('memo') };
    const amount = isAll ? { everything: true } : { zatoshi: typedZatoshi(typed, formats) };
    return { ...common, address: to, ...memo, ...amount };
  };
  const prepare = async (typed: Typed, form: HTMLFormElement) => {
    try {
      const payment = await call('payments.prepare', inputOf(typed));
      form.reset();
      withdraw();
      setRequest(false);
      setAll(false);
      prepared(payment);
    } catch (thrown) {
      if (!(thrown instanceof CompanionError) || thrown.code !== 'CONSENT_NEEDED') throw thrown;
      setAgreed([]);
      setRefused(thrown);
    }
  };
  return (
    <Form submit="Prepare" act={prepare} onInput={changed}>
      <TextField
        name="to"
        label="To"
        maxLength={16_384}
        required
        help="An address, or a payment request: a link that begins with zcash:"
      />
      {/* A payment request contains its amount. */}
      <AmountField help="In ZEC." hidden={isRequest || isAll} />
      <label class="check" hidden={isRequest}>
        <input
          type="checkbox"
          checked={isAll}
          onChange={({ currentTarget }) => setAll(currentTarget.checked)}
        />
        Send everything that can be sent
      </label>
      <TextField
        name="memo"
        label="Memo"
        maxLength={512}
        hidden={isRequest}
        help="Only the recipient and you can read it."
      />
      <Field
        label="From account"
        hidden={accounts.length < 2}
        control={(ids) => (
          <select name="account" {...ids}>
            {accounts.map(({ account }) => (
              <option key={account}>{account}</option>
            ))}
          </select>
        )}
      />
      {refused && <Consents key={refused} refused={refused} agreed={agreed} agree={setAgreed} />}
    </Form>
  );
}

interface ConsentsProps {
  refused: CompanionError;
  agreed: readonly Consent[];
  agree: (agreed: readonly Consent[]) => void;
}

function Consents({ refused, agreed, agree }: ConsentsProps) {
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  const said = [refused.message, ...(refused.errors ?? []).map(({ path, message }) => `${path} ${message}`)];
  const named = consentsNamed(said.join(' '));
  const wanted = named.length > 0 ? named : (Object.keys(CONSENT_TEXT) as Consent[]);
  return (
    <fieldset class="consents">
      <legend>Everybody would see something of this payment</legend>
      <Hint text={refused.message} />
      {wanted.map((name, index) => (
        <label key={name} class="check">
          <input
            type="checkbox"
            ref={index === 0 ? first : null}
            checked={agreed.includes(name)}
            onChange={({ currentTarget: { checked } }) =>
              agree([...agreed.filter((one) => one !== name), ...(checked ? [name] : [])])
            }
          />
          {CONSENT_TEXT[name]}
        </label>
      ))}
      <Hint text="Tick what may be seen, and prepare it once more." />
    </fieldset>
  );
}
