// Appearance, password, and secrets that need the password; also the settings that only config.json can change.

import { useState } from 'preact/hooks';
import { THEMES } from '../../model/themes.ts';
import { useApp } from '../parts/app.ts';
import { useAnswer } from '../parts/calls.ts';
import { chosenPassword, Form, NewPassword, PasswordField, type Typed } from '../parts/form.tsx';
import { Card, Details, Facts } from '../parts/layout.tsx';
import { PairingCard } from '../parts/pairing.tsx';
import { Reveal } from '../parts/reveal.tsx';
import { Hint } from '../parts/text.tsx';

export function Settings() {
  return (
    <div class="columns">
      <div>
        <Appearance />
        <Password />
        <PairingCard />
        <About />
      </div>
      <div>
        <RecoveryPhrase />
        <ViewingKey />
        <Rescan />
      </div>
    </div>
  );
}

function Appearance() {
  const { call, store } = useApp();
  return (
    <Card title="Appearance">
      <fieldset class="choices-row">
        <legend class="unseen">Colours</legend>
        {THEMES.map(({ value, name }) => (
          <label key={value} class="check">
            <input
              type="radio"
              name="theme"
              checked={store.config?.theme === value}
              onChange={async () => store.set({ config: await call('config.theme', { theme: value }) })}
            />
            {name}
          </label>
        ))}
      </fieldset>
    </Card>
  );
}

function Password() {
  const { call } = useApp();
  const [said, setSaid] = useState('');
  const change = async (typed: Typed) => {
    setSaid('');
    const new_password = chosenPassword(typed);
    await call('wallet.change_password', { password: typed('password'), new_password });
    setSaid('The password was changed.');
  };
  return (
    <Card title="Password">
      <Form submit="Change password" buttonClass="quiet" act={change}>
        <PasswordField label="Current password" />
        <NewPassword label="New password" />
      </Form>
      <p class="hint" role="status">
        {said}
      </p>
    </Card>
  );
}

function About() {
  const { call, formats, store } = useApp();
  const [{ value }] = useAnswer(() => call('system.version'), []);
  const lock = store.config?.auto_lock_seconds ?? 0;
  return (
    <Card title="About">
      {value && (
        <>
          <Facts
            rows={[
              ['Version', value.version],
              ['Network', value.network],
              ['Locks itself', lock === 0 ? 'never' : `after ${formats.duration(lock)} without use`],
              ['Confirmations needed', formats.count(store.config?.min_confirmations ?? 1)],
            ]}
          />
          <Hint text='These are set in config.json or with "wallet-companion config", never from a page.' />
        </>
      )}
    </Card>
  );
}

function RecoveryPhrase() {
  const { call, formats } = useApp();
  return (
    <Reveal
      title="Recovery phrase"
      text="Look at it to write it down or to compare. Make sure that nobody sees your screen."
      submit="Show the phrase"
      read={async (password) => {
        const { mnemonic, birthday_height, bip39_passphrase } = await call('wallet.backup', { password });
        return {
          phrase: mnemonic,
          facts: [
            ['Birthday', `block ${formats.count(birthday_height)}`],
            bip39_passphrase !== null && ['BIP-39 passphrase', bip39_passphrase],
          ],
        };
      }}
    />
  );
}

function ViewingKey() {
  const { call, formats } = useApp();
  return (
    <Reveal
      title="Viewing key"
      text="Whoever has it sees every payment of this wallet, past and future, and cannot spend. Give it only to people who may see all that."
      submit="Show the viewing key"
      read={async (password) => {
        const { viewing_key, birthday_height, kind } = await call('wallet.viewing_key', { password });
        return {
          viewingKey: viewing_key,
          facts: [
            ['Shows', kind === 'full' ? 'what comes in and goes out' : 'only what comes in'],
            ['Birthday', `block ${formats.count(birthday_height)}`],
          ],
        };
      }}
    />
  );
}

function Rescan() {
  const { call, store } = useApp();
  const rescan = async () => {
    await call('wallet.rescan');
    store.say('What was scanned is forgotten.');
    await store.reload();
    location.hash = '#/scan';
  };
  return (
    <Card title="Scan again">
      <Details summary="Forget what was scanned">
        <p>
          Keys and password stay. Balance and transactions are unknown until everything has been scanned once
          more, which can take long.
        </p>
        <Form submit="Forget and begin anew" buttonClass="danger" act={rescan} />
      </Details>
    </Card>
  );
}
