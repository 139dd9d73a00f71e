// The choice of an account, where there are several.

import { call } from '../live/app.ts';
import { useAnswer } from './calls.ts';
import { Field } from './form.tsx';

export function AccountField({ label }: { label: string }) {
  // The default account is there without an answer.
  const [{ value = { accounts: [{ account: 0 }] } }] = useAnswer(() => call('accounts.list'), []);
  const accounts = value.accounts.map(({ account }) => [String(account), String(account)] as const);
  return <Field name="account" label={label} hidden={accounts.length < 2} options={accounts} />;
}
