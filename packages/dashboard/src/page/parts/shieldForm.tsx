// Moves what another wallet received at the account's transparent addresses to a shielded pool.

import { useState } from 'preact/hooks';
import type { Prepared } from '../../model/payments.ts';
import { call } from '../live/app.ts';
import { AccountField } from './accountField.tsx';
import { Check, Form, type Typed } from './form.tsx';
import { Details } from './layout.tsx';
import { Hint } from './text.tsx';

const WHAT_IT_DOES =
  'What another wallet with the keys of this account received at transparent addresses becomes yours here. The node is asked for those addresses, and everybody sees what comes from which of them.';

export function ShieldForm({ prepared }: { prepared: (payment: Prepared) => void }) {
  const [isJoined, setJoined] = useState(false);
  const shield = async (typed: Typed) => {
    const joined = isJoined ? { join_addresses: true } : {};
    prepared(await call('payments.shield', { account: Number(typed('account')), ...joined }));
    setJoined(false);
  };
  return (
    <Details summary="Shield transparent funds">
      <Hint text={WHAT_IT_DOES} />
      <Form submit="Prepare to shield" class="quiet" act={shield}>
        <AccountField label="Account" />
        <Check
          text="From several addresses at once: everybody sees that they belong together"
          isOn={isJoined}
          check={setJoined}
        />
      </Form>
    </Details>
  );
}
