// No wallet yet: create one, restore one from its phrase, or watch one by its viewing key.

import type { ComponentChildren, FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import { BIRTHDAY_HELP, typedBirthday } from '../../model/birthday.ts';
import { call, deviceHref, isWindow, store } from '../live/app.ts';
import { inOwnTab } from '../live/token.ts';
import { SourceCard } from '../parts/choices.tsx';
import { chosenPassword, Field, Form, NewPassword, type Typed } from '../parts/form.tsx';
import { Card, Details } from '../parts/layout.tsx';
import { Create, type FlowProps } from './create.tsx';
import { ServerCard } from './scan.tsx';

type Flow = FunctionComponent<FlowProps>;

const CHOICES: readonly (readonly [title: string, text: string, Flow: Flow])[] = [
  ['Create a new wallet', 'You get a recovery phrase to write down.', Create],
  ['Restore a wallet', 'You have a recovery phrase of 12 to 24 words.', Restore],
  ['Watch a wallet', 'You have a viewing key, and no phrase.', Watch],
];

export function Welcome() {
  const [chosen, choose] = useState<{ readonly Flow: Flow }>();
  const back = <button type="button" class="quiet" onClick={() => choose(undefined)} children="Back" />;
  if (chosen) return <chosen.Flow back={back} />;
  return (
    <>
      <Card title={`There is no wallet ${store.wallet ? `named ${store.wallet}` : 'here'} yet`}>
        <p>
          The keys stay on this machine, in a file that only your password opens. This wallet watches and
          counts; it pays only with the password that you type for that payment, or with a device.
        </p>
        <ul class="choices">
          {CHOICES.map(([title, text, Flow]) => (
            <li key={title}>
              <button type="button" class="choice" onClick={() => choose({ Flow })}>
                <strong>{title}</strong>
                <span>{text}</span>
              </button>
            </li>
          ))}
          {!isWindow && (
            <li>
              <a class="choice" href={deviceHref({ page: 'pair' })} {...inOwnTab()}>
                <strong>Watch a device's accounts</strong>
                <span>You have a Keystone, a Ledger or another device that signs.</span>
              </a>
            </li>
          )}
        </ul>
      </Card>
      <SourceCard />
      <ServerCard which="compact_server" />
      <ServerCard which="node" />
    </>
  );
}

function Restore({ back }: FlowProps) {
  const restore = async (typed: Typed, common: Common) => {
    const passphrase = typed('passphrase') === '' ? {} : { bip39_passphrase: typed('passphrase') };
    await call('wallet.restore', { mnemonic: typed('secret'), ...passphrase, ...common });
  };
  const help = 'Only if you chose one together with the phrase. Most wallets have none.';
  return (
    <Known title="Restore a wallet" submit="Restore wallet" back={back} act={restore} {...PHRASE}>
      <Details summary="There was a passphrase">
        <Field kind="passphrase" name="passphrase" label="BIP-39 passphrase" help={help} />
      </Details>
    </Known>
  );
}

function Watch({ back }: FlowProps) {
  const watch = (typed: Typed, common: Common) =>
    call('wallet.import_viewing_key', { viewing_key: typed('secret'), ...common });
  return <Known title="Watch a wallet" submit="Watch wallet" back={back} act={watch} {...KEY} />;
}

const PHRASE = {
  secret: 'Recovery phrase',
  help: '12 to 24 words with spaces between. Capitals do not matter.',
  passwordHelp: 'It protects the wallet on this machine. Nobody can reset it.',
};
const KEY = {
  secret: 'Viewing key',
  help: 'A unified viewing key (uview…, uivk…) or a Sapling one (zxviews…).',
  passwordHelp: 'It protects the viewing key on this machine.',
};

type Common = ReturnType<typeof typedBirthday> & { readonly password: string };
type KnownProps = FlowProps & { title: string; submit: string; children?: ComponentChildren } & typeof KEY & {
    act: (typed: Typed, common: Common) => Promise<unknown>;
  };

/** A wallet that exists already. */
function Known({ title, submit, back, act, secret, help, passwordHelp, children }: KnownProps) {
  const begin = async (typed: Typed) => {
    const birthday = typedBirthday(typed('birthday'));
    await act(typed, { password: chosenPassword(typed), ...birthday });
    await store.reload();
  };
  return (
    <Card title={title} isFocused>
      <Form submit={submit} more={back} act={begin}>
        <Field kind="secretArea" name="secret" label={secret} help={help} />
        <Field kind="birthday" name="birthday" label="Birthday" help={BIRTHDAY_HELP} />
        <NewPassword label="New password" help={passwordHelp} />
        {children}
      </Form>
    </Card>
  );
}
