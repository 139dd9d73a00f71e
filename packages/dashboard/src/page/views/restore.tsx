// A wallet that already exists: restored from its recovery phrase, or watched by a viewing key.

import { useApp } from '../parts/app.ts';
import { BirthdayField, birthdayOf } from '../parts/birthday.tsx';
import { chosenPassword, Form, NewPassword, PasswordField, SecretField } from '../parts/form.tsx';
import { Card, Details } from '../parts/layout.tsx';
import { BackButton, type FlowProps } from './flow.tsx';

export function Restore({ back }: FlowProps) {
  const { call, store } = useApp();
  return (
    <Card title="Restore a wallet">
      <Form
        submit="Restore wallet"
        more={<BackButton back={back} />}
        act={async (typed) => {
          const birthday = birthdayOf(typed);
          const bip39_passphrase = typed('passphrase');
          await call('wallet.restore', {
            mnemonic: typed('phrase'),
            password: chosenPassword(typed),
            ...(bip39_passphrase === '' ? {} : { bip39_passphrase }),
            ...birthday,
          });
          await store.reload();
        }}
      >
        <SecretField
          name="phrase"
          label="Recovery phrase"
          help="12 to 24 words with spaces between. Capitals do not matter."
        />
        <BirthdayField />
        <NewPassword
          label="New password"
          help="It protects the wallet on this machine. Nobody can reset it."
        />
        <Details summary="There was a passphrase">
          <PasswordField
            name="passphrase"
            label="BIP-39 passphrase"
            kind="off"
            help="Only if you chose one together with the phrase. Most wallets have none."
          />
        </Details>
      </Form>
    </Card>
  );
}

export function Watch({ back }: FlowProps) {
  const { call, store } = useApp();
  return (
    <Card title="Watch a wallet">
      <Form
        submit="Watch wallet"
        more={<BackButton back={back} />}
        act={async (typed) => {
          const birthday = birthdayOf(typed);
          const password = chosenPassword(typed);
          await call('wallet.import_viewing_key', { viewing_key: typed('key'), password, ...birthday });
          await store.reload();
        }}
      >
        <SecretField
          name="key"
          label="Viewing key"
          help="A unified viewing key (uview…, uivk…) or a Sapling one (zxviews…)."
        />
        <BirthdayField />
        <NewPassword label="New password" help="It protects the viewing key on this machine." />
      </Form>
    </Card>
  );
}
