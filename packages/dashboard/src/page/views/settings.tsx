// Appearance, password, grants, and secrets that need the password; also the settings that only config.json can change.

import { useState } from 'preact/hooks';
import { BACKUP_COMMAND, settingsTexts } from '../../texts/settings.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { call, deviceHref, formats, isWindow, store, to } from '../live/app.ts';
import { askConsent, consent } from '../live/notify.ts';
import { inOwnTab } from '../live/token.ts';
import { Appearance, SourceCard } from '../parts/choices.tsx';
import {
  ActionButton,
  chosenPassword,
  Form,
  NewPassword,
  PasswordField,
  type Typed,
} from '../parts/form.tsx';
import { GrantsCard } from '../parts/grants.tsx';
import { useAnswer } from '../parts/hooks.ts';
import { Actions, Card, Details, type Fact, Facts } from '../parts/layout.tsx';
import { PairingCard } from '../parts/pairing.tsx';
import { Reveal } from '../parts/reveal.tsx';
import { Boxed, CopyButton, Hint, Notice } from '../parts/text.tsx';

export const Settings = () => (
  <div class="columns">
    <div>
      <Appearance />
      <SourceCard />
      <Notices />
      <ChangePassword />
      <PairingCard />
      <GrantsCard />
    </div>
    <div>
      <Reveal
        title={sharedTexts().phrase}
        text={settingsTexts().phraseText}
        submit={settingsTexts().showPhrase}
        read={readPhrase}
      />
      <Reveal
        title={settingsTexts().viewingKey}
        text={settingsTexts().viewingKeyText}
        submit={settingsTexts().showViewingKey}
        read={readViewingKey}
      />
      <Backup />
      <Rescan />
      <Device />
      <About />
    </div>
  </div>
);

const birthdayFact = (height: number): Fact => [
  settingsTexts().birthday,
  settingsTexts().block(formats.count(height)),
];

async function readPhrase(password: string) {
  const { mnemonic, birthday_height, bip39_passphrase: extra } = await call('wallet.backup', { password });
  const facts = [
    birthdayFact(birthday_height),
    extra !== null && ([settingsTexts().passphrase, extra] as const),
  ];
  return { phrase: mnemonic, facts };
}

async function readViewingKey(password: string) {
  const { viewing_key, birthday_height, kind } = await call('wallet.viewing_key', { password });
  const texts = settingsTexts();
  const shows = [texts.shows, kind === 'full' ? texts.showsAll : texts.showsIncoming] as const;
  return { viewingKey: viewing_key, facts: [shows, birthdayFact(birthday_height)] };
}

/** Of all wallets, so a grant for one hears nothing of it, and a backup may have gigabytes, so a terminal makes it. */
function Backup() {
  const texts = settingsTexts();
  const [{ value }] = useAnswer(() => call('system.backup'), []);
  if (value === undefined) return null;
  const { last_backup_at: at, overdue } = value;
  const text = texts.backupText(at === null ? undefined : formats.day(at));
  return (
    <Card title={texts.backup}>
      {overdue ? <Notice text={text} /> : <Hint text={text} />}
      <Hint text={texts.backupCommand} />
      <Boxed text={BACKUP_COMMAND} />
      <CopyButton what={texts.backupCommandName} text={BACKUP_COMMAND} />
    </Card>
  );
}

function Notices() {
  const texts = settingsTexts();
  const [state, setState] = useState(consent());
  if (state === undefined) return null;
  return (
    <Card title={texts.notices}>
      <Hint role="status" text={texts.noticeStates[state]} />
      {state === 'default' && (
        <Actions>
          <ActionButton
            text={texts.allowNotices}
            class="quiet"
            act={async () => setState(await askConsent())}
          />
        </Actions>
      )}
    </Card>
  );
}

function ChangePassword() {
  const texts = settingsTexts();
  const [announcement, setAnnouncement] = useState('');
  const change = async (typed: Typed) => {
    setAnnouncement('');
    const new_password = chosenPassword(typed);
    await call('wallet.change_password', { password: typed('password'), new_password });
    setAnnouncement(texts.passwordChanged);
  };
  return (
    <Card title={sharedTexts().password}>
      <Form submit={texts.changePassword} class="quiet" act={change}>
        <PasswordField label={texts.currentPassword} />
        <NewPassword label={texts.newPassword} />
      </Form>
      <p class="hint" role="status" children={announcement} />
    </Card>
  );
}

/** The window of the desktop app has no page for devices. */
function Device() {
  const texts = settingsTexts();
  const device = store.status?.device;
  if (!device || isWindow) return null;
  return (
    <Card title={texts.device}>
      <Facts rows={[[device.kind, device.version ?? texts.versionUnknown]]} />
      <p>
        <a href={deviceHref({ page: 'pair' })} {...inOwnTab()}>
          {texts.watchAnother}
        </a>
      </p>
    </Card>
  );
}

function About() {
  const texts = settingsTexts();
  const [{ value }] = useAnswer(() => call('system.version'), []);
  const { auto_lock_seconds: lock = 0, min_confirmations: confirmations = 1 } = store.config ?? {};
  return (
    <Card title={texts.about}>
      {value && (
        <Facts
          rows={[
            [texts.version, value.version],
            [texts.network, sharedTexts().networks[value.network]],
            [texts.locksItself, lock === 0 ? texts.never : texts.afterIdle(formats.duration(lock))],
            [texts.confirmations, formats.count(confirmations)],
          ]}
        />
      )}
      <Hint text={texts.configHelp} />
    </Card>
  );
}

function Rescan() {
  const texts = settingsTexts();
  const rescan = async () => {
    await call('wallet.rescan');
    store.announce(texts.forgotten);
    await store.reload();
    location.hash = to('scan');
  };
  return (
    <Card title={texts.scanAgain}>
      <Details summary={texts.forget}>
        <p>{texts.forgetText}</p>
        <Form submit={texts.forgetSubmit} class="danger" act={rescan} />
      </Details>
    </Card>
  );
}
