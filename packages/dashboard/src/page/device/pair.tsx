// A wallet that watches an account of a device: the device shows its viewing keys as codes or gives one by cable, and the person
// chooses the account. A wallet that watches the device already gets one account more.

import { useState } from 'preact/hooks';
import { BIRTHDAY_HELP, typedBirthday } from '../../model/birthday.ts';
import { CodeScan } from '../../model/codeScan.ts';
import {
  accountChoices,
  accountOf,
  accountsIn,
  type DeviceAccounts,
  importOf,
  ledgerAccount,
} from '../../model/pairing.ts';
import { call, dashboardHref, store } from '../live/app.ts';
import { leaveTo } from '../live/token.ts';
import { chosenPassword, Field, Form, NewPassword, PasswordField, type Typed } from '../parts/form.tsx';
import { Card } from '../parts/layout.tsx';
import { Hint } from '../parts/text.tsx';
import { AccountField, typedAccount, withLedger } from './ledger.tsx';
import { Scan } from './scan.tsx';

export function Pair() {
  const [found, setFound] = useState<DeviceAccounts>();
  const { exists, device } = store.status ?? {};
  if (exists && !device)
    return (
      <Hint text="The wallet here has keys of its own. On the dashboard, a name in the address makes another one." />
    );
  if (found) return <Choose found={found} isMore={exists === true} />;
  return (
    <>
      <Card title="By camera" isFocused>
        <p>
          For a Keystone and other devices that show codes: choose there to connect a software wallet, then
          hold the device before the camera.
        </p>
        <Scan
          reader={() => new CodeScan('zcash-accounts')}
          begin="Scan the device's accounts"
          take={(message) => setFound(accountsIn(message))}
        />
      </Card>
      <Card title="By cable">
        <p>For a Ledger: connect it, unlock it and open its Zcash app. It shows the viewing key and asks.</p>
        <FromLedger found={setFound} />
      </Card>
    </>
  );
}

function FromLedger({ found }: { found: (accounts: DeviceAccounts) => void }) {
  const read = async (typed: Typed) => {
    const index = typedAccount(typed('account'));
    const coinType = store.status?.network === 'main' ? 133 : 1;
    found(
      await withLedger(async (ledger) =>
        ledgerAccount(await ledger.viewingKey({ account: index, coinType }), index, ledger.version),
      ),
    );
  };
  return (
    <Form submit="Connect the Ledger" act={read}>
      <AccountField />
    </Form>
  );
}

function Choose({ found, isMore }: { found: DeviceAccounts; isMore: boolean }) {
  const watch = async (typed: Typed) => {
    const birthday = typedBirthday(typed('birthday'));
    if (isMore) {
      const account = accountOf(found, typed('chosen'));
      await call('accounts.import_viewing_key', { ...account, password: typed('password'), ...birthday });
    } else
      await call('wallet.import_viewing_key', {
        ...importOf(found, typed('chosen')),
        password: chosenPassword(typed),
        ...birthday,
      });
    leaveTo(dashboardHref({ page: '' }));
  };
  return (
    <Card title={isMore ? 'Watch one account more' : 'Watch an account'} isFocused>
      <Form submit="Watch it" act={watch}>
        <Field name="chosen" label="Account" options={accountChoices(found)} />
        <Field kind="birthday" name="birthday" label="Birthday" help={BIRTHDAY_HELP} />
        {isMore ? (
          <PasswordField />
        ) : (
          <NewPassword label="New password" help="It protects the viewing key on this machine." />
        )}
      </Form>
    </Card>
  );
}
