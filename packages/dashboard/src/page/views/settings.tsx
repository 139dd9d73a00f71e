// Appearance, password, grants, and secrets that need the password; also the settings that only config.json can change.

import { useState } from 'preact/hooks';
import { call, deviceHref, formats, isWindow, store, to } from '../live/app.ts';
import { inOwnTab } from '../live/token.ts';
import { Appearance, SourceCard } from '../parts/choices.tsx';
import { chosenPassword, Form, NewPassword, PasswordField, type Typed } from '../parts/form.tsx';
import { GrantsCard } from '../parts/grants.tsx';
import { useAnswer } from '../parts/hooks.ts';
import { Card, Details, type Fact, Facts } from '../parts/layout.tsx';
import { PairingCard } from '../parts/pairing.tsx';
import { Reveal } from '../parts/reveal.tsx';
import { Hint } from '../parts/text.tsx';

export const Settings = () => (
  <div class="columns">
    <div>
      <Appearance />
      <SourceCard />
      <ChangePassword />
      <PairingCard />
      <GrantsCard />
    </div>
    <div>
      <Reveal
        title="Recovery phrase"
        text="Look at it to write it down or to compare. Make sure that nobody sees your screen."
        submit="Show the phrase"
        read={readPhrase}
      />
      <Reveal
        title="Viewing key"
        text="Anyone who has it sees every payment of this wallet, past and future, and cannot spend. Give it only to people who may see all that."
        submit="Show the viewing key"
        read={readViewingKey}
      />
      <Rescan />
      <Device />
      <About />
    </div>
  </div>
);

const birthdayFact = (height: number): Fact => ['Birthday', `block ${formats.count(height)}`];

async function readPhrase(password: string) {
  const { mnemonic, birthday_height, bip39_passphrase: extra } = await call('wallet.backup', { password });
  const facts = [birthdayFact(birthday_height), extra !== null && (['BIP-39 passphrase', extra] as const)];
  return { phrase: mnemonic, facts };
}

async function readViewingKey(password: string) {
  const { viewing_key, birthday_height, kind } = await call('wallet.viewing_key', { password });
  const shows = ['Shows', kind === 'full' ? 'what comes in and goes out' : 'only what comes in'] as const;
  return { viewingKey: viewing_key, facts: [shows, birthdayFact(birthday_height)] };
}

function ChangePassword() {
  const [announcement, setAnnouncement] = useState('');
  const change = async (typed: Typed) => {
    setAnnouncement('');
    const new_password = chosenPassword(typed);
    await call('wallet.change_password', { password: typed('password'), new_password });
    setAnnouncement('The password was changed.');
  };
  return (
    <Card title="Password">
      <Form submit="Change password" class="quiet" act={change}>
        <PasswordField label="Current password" />
        <NewPassword label="New password" />
      </Form>
      <p class="hint" role="status" children={announcement} />
    </Card>
  );
}

/** The window of the desktop app has no page for devices. */
function Device() {
  const device = store.status?.device;
  if (!device || isWindow) return null;
  return (
    <Card title="Device that signs">
      <Facts rows={[[device.kind, device.version ?? 'version unknown']]} />
      <p>
        <a href={deviceHref({ page: 'pair' })} {...inOwnTab()}>
          Watch another of its accounts
        </a>
      </p>
    </Card>
  );
}

function About() {
  const [{ value }] = useAnswer(() => call('system.version'), []);
  const { auto_lock_seconds: lock = 0, min_confirmations: confirmations = 1 } = store.config ?? {};
  return (
    <Card title="About">
      {value && (
        <Facts
          rows={[
            ['Version', value.version],
            ['Network', value.network],
            ['Locks itself', lock === 0 ? 'never' : `after ${formats.duration(lock)} without use`],
            ['Confirmations needed', formats.count(confirmations)],
          ]}
        />
      )}
      <Hint text='These are set in config.json or with "wallet-companion config", never from a page.' />
    </Card>
  );
}

function Rescan() {
  const rescan = async () => {
    await call('wallet.rescan');
    store.announce('What was scanned is forgotten.');
    await store.reload();
    location.hash = to('scan');
  };
  return (
    <Card title="Scan again">
      <Details summary="Forget what was scanned">
        <p>
          Keys and password stay. Balance and transactions are unknown until everything has been scanned once
          more, which can take long.
        </p>
        <Form submit="Forget and begin anew" class="danger" act={rescan} />
      </Details>
    </Card>
  );
}
