// A wallet that watches an account of a device: the device shows its viewing keys as codes or gives one by cable, and the person
// chooses the account. A wallet that watches the device already gets one account more.

import { useState } from 'preact/hooks';
import { typedBirthday } from '../../model/birthday.ts';
import { CodeScan } from '../../model/codeScan.ts';
import {
  accountChoices,
  accountOf,
  accountsIn,
  type DeviceAccounts,
  importOf,
  ledgerAccount,
} from '../../model/pairing.ts';
import { deviceTexts } from '../../texts/device.ts';
import { welcomeTexts } from '../../texts/welcome.ts';
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
  const texts = deviceTexts();
  if (exists && !device) return <Hint text={texts.ownKeys} />;
  if (found) return <Choose found={found} isMore={exists === true} />;
  return (
    <>
      <Card title={texts.byCamera} isFocused>
        <p>{texts.byCameraText}</p>
        <Scan
          reader={() => new CodeScan('zcash-accounts')}
          begin={texts.scanAccounts}
          take={(message) => setFound(accountsIn(message))}
        />
      </Card>
      <Card title={texts.byCable}>
        <p>{texts.byCableText}</p>
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
    <Form submit={deviceTexts().connect} act={read}>
      <AccountField />
    </Form>
  );
}

function Choose({ found, isMore }: { found: DeviceAccounts; isMore: boolean }) {
  const texts = deviceTexts();
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
    <Card title={isMore ? texts.watchMore : texts.watchAccount} isFocused>
      <Form submit={texts.watchIt} act={watch}>
        <Field name="chosen" label={texts.account} options={accountChoices(found)} />
        <Field
          kind="birthday"
          name="birthday"
          label={welcomeTexts().birthday}
          help={welcomeTexts().birthdayHelp}
        />
        {isMore ? (
          <PasswordField />
        ) : (
          <NewPassword label={welcomeTexts().newPassword} help={welcomeTexts().keyPasswordHelp} />
        )}
      </Form>
    </Card>
  );
}
