// Recipient and amount. The companion first refuses what would become public, or what the wallet's device does not sign, and
// the user then agrees to it: any change of the form withdraws that, since it was given for another payment.

import { CompanionError } from '@wallet-companion/client';
import { useState } from 'preact/hooks';
import { type Consent, consentsNamed, type Prepared } from '../../model/payments.ts';
import { payTexts } from '../../texts/pay.ts';
import { call } from '../live/app.ts';
import { useContacts } from './contacts.tsx';
import { AmountField, Check, Field, Form, type Typed, typedZatoshi } from './form.tsx';
import { useAnswer } from './hooks.ts';
import { Details, focusOn } from './layout.tsx';
import { Hint } from './text.tsx';

const isUri = (text: string): boolean => /^\s*zcash:/i.test(text);

export function PrepareForm({ prepared }: { prepared: (payment: Prepared) => void }) {
  const texts = payTexts();
  const [refused, setRefused] = useState<CompanionError>();
  const [agreed, setAgreed] = useState<readonly Consent[]>([]);
  const [limit, setLimit] = useState<string>();
  const [isAnyway, setAnyway] = useState(false);
  const [isRequest, setRequest] = useState(false);
  const [isAll, setAll] = useState(false);
  const { value: known } = useContacts();
  const names = (known?.contacts ?? []).map(({ name }) => name);

  const refuse = (error: CompanionError | undefined) => {
    setRefused(error);
    setAgreed([]);
  };
  const limitTo = (text: string | undefined) => {
    setLimit(text);
    setAnyway(false);
  };
  const begin = () => {
    refuse(undefined);
    limitTo(undefined);
  };
  const inputOf = (typed: Typed) => {
    const to = typed('to').trim();
    const privacy = agreed.length === 0 ? {} : { privacy: [...agreed] };
    const anyway = isAnyway ? { try_anyway: true } : {};
    const common = { account: Number(typed('account')), ...privacy, ...anyway };
    if (isUri(to)) return { ...common, uri: to };
    const memo = typed('memo') === '' ? {} : { memo: typed('memo') };
    return {
      ...common,
      // No contact has the name of an address.
      ...(names.some((name) => name.toLowerCase() === to.toLowerCase()) ? { contact: to } : { address: to }),
      ...memo,
      ...(isAll ? { everything: true } : { zatoshi: typedZatoshi(typed) }),
    };
  };
  const prepare = async (typed: Typed, form: HTMLFormElement) => {
    try {
      const payment = await call('payments.prepare', inputOf(typed));
      form.reset();
      begin();
      setRequest(false);
      setAll(false);
      prepared(payment);
    } catch (thrown) {
      if (!(thrown instanceof CompanionError)) throw thrown;
      if (thrown.code === 'CONSENT_NEEDED') refuse(thrown);
      else if (thrown.code === 'DEVICE_LIMIT') limitTo(thrown.message);
      else throw thrown;
    }
  };
  const changed = ({ target }: Event) => (target as Element).closest('.consents') ?? begin();
  const agree = (name: Consent, isAgreed: boolean) =>
    setAgreed([...agreed.filter((one) => one !== name), ...(isAgreed ? [name] : [])]);
  return (
    <Form submit={texts.prepare} act={prepare} onInput={changed}>
      <Field
        name="to"
        label={texts.to}
        kind="recipient"
        onText={(text) => setRequest(isUri(text))}
        suggested={names}
        help={texts.toHelp}
      />
      {/* A payment request contains its amount. */}
      <AmountField help={texts.amountHelp} hidden={isRequest || isAll} />
      <Check text={texts.everything} hidden={isRequest} isOn={isAll} check={setAll} />
      <Field kind="memo" name="memo" label={texts.memo} hidden={isRequest} help={texts.memoHelp} />
      <AccountField label={texts.fromAccount} />
      {refused && (
        <fieldset key={refused} class="consents">
          <legend>{texts.consentLegend}</legend>
          <Hint text={refused.message} />
          {consentsNamed(refused).map((name, index) => (
            <Check
              key={name}
              text={texts.consents[name]}
              isOn={agreed.includes(name)}
              check={(isOn) => agree(name, isOn)}
              inputRef={index === 0 ? focusOn : null}
            />
          ))}
          <Hint text={texts.consentHint} />
        </fieldset>
      )}
      {limit && (
        <fieldset key={limit} class="consents">
          <legend>{texts.deviceLimit}</legend>
          <Hint text={limit} />
          <Check text={texts.anyway} isOn={isAnyway} check={setAnyway} inputRef={focusOn} />
        </fieldset>
      )}
    </Form>
  );
}

// The choice of an account, where there are several.
export function AccountField({ label }: { label: string }) {
  // The default account is there without an answer.
  const [{ value = { accounts: [{ account: 0 }] } }] = useAnswer(() => call('accounts.list'), []);
  const accounts = value.accounts.map(({ account }) => [String(account), String(account)] as const);
  return <Field name="account" label={label} hidden={accounts.length < 2} options={accounts} />;
}

// Moves what another wallet received at the account's transparent addresses to a shielded pool.
export function ShieldForm({ prepared }: { prepared: (payment: Prepared) => void }) {
  const texts = payTexts();
  const [isJoined, setJoined] = useState(false);
  const shield = async (typed: Typed) => {
    const joined = isJoined ? { join_addresses: true } : {};
    prepared(await call('payments.shield', { account: Number(typed('account')), ...joined }));
    setJoined(false);
  };
  return (
    <Details summary={texts.shieldTitle}>
      <Hint text={texts.shieldHint} />
      <Form submit={texts.shieldSubmit} class="quiet" act={shield}>
        <AccountField label={texts.account} />
        <Check text={texts.joinAddresses} isOn={isJoined} check={setJoined} />
      </Form>
    </Details>
  );
}
