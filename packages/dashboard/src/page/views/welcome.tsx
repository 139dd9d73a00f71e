// No wallet yet: create one, restore one from its phrase, or watch one by its viewing key.

import type { ComponentChildren, FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import { typedBirthday } from '../../model/birthday.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { welcomeTexts } from '../../texts/welcome.ts';
import { call, deviceHref, isWindow, store } from '../live/app.ts';
import { inOwnTab } from '../live/token.ts';
import { chosenPassword, Field, Form, NewPassword, type Typed } from '../parts/form.tsx';
import { Card, Details } from '../parts/layout.tsx';
import { SourceChoice } from '../parts/sourceChoice.tsx';
import { Create, type FlowProps } from './create.tsx';

type Flow = FunctionComponent<FlowProps>;

export function Welcome() {
  const texts = welcomeTexts();
  const choices: readonly (readonly [title: string, text: string, Flow: Flow])[] = [
    [texts.create, texts.createText, Create],
    [texts.restore, texts.restoreText, Restore],
    [texts.watch, texts.watchText, Watch],
  ];
  const [chosen, choose] = useState<{ readonly Flow: Flow }>();
  const back = <button type="button" class="quiet" onClick={() => choose(undefined)} children={texts.back} />;
  if (chosen) return <chosen.Flow back={back} />;
  return (
    <>
      <Card title={store.wallet ? texts.noWalletNamed(store.wallet) : texts.noWallet}>
        <p>{texts.intro}</p>
        <ul class="choices">
          {choices.map(([title, text, Flow]) => (
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
                <strong>{texts.device}</strong>
                <span>{texts.deviceText}</span>
              </a>
            </li>
          )}
        </ul>
      </Card>
      <SourceChoice />
    </>
  );
}

function Restore({ back }: FlowProps) {
  const restore = async (typed: Typed, common: Common) => {
    const passphrase = typed('passphrase') === '' ? {} : { bip39_passphrase: typed('passphrase') };
    await call('wallet.restore', { mnemonic: typed('secret'), ...passphrase, ...common });
  };
  const texts = welcomeTexts();
  return (
    <Known
      title={texts.restore}
      submit={texts.restoreSubmit}
      back={back}
      act={restore}
      secret={sharedTexts().phrase}
      help={texts.phraseHelp}
      passwordHelp={texts.passwordHelp}
    >
      <Details summary={texts.hasPassphrase}>
        <Field kind="passphrase" name="passphrase" label={texts.passphrase} help={texts.passphraseHelp} />
      </Details>
    </Known>
  );
}

function Watch({ back }: FlowProps) {
  const watch = (typed: Typed, common: Common) =>
    call('wallet.import_viewing_key', { viewing_key: typed('secret'), ...common });
  const texts = welcomeTexts();
  return (
    <Known
      title={texts.watch}
      submit={texts.watchSubmit}
      back={back}
      act={watch}
      secret={texts.viewingKey}
      help={texts.viewingKeyHelp}
      passwordHelp={texts.keyPasswordHelp}
    />
  );
}

type Common = ReturnType<typeof typedBirthday> & { readonly password: string };
type KnownProps = FlowProps & {
  title: string;
  submit: string;
  act: (typed: Typed, common: Common) => Promise<unknown>;
  secret: string;
  help: string;
  passwordHelp: string;
  children?: ComponentChildren;
};

/** A wallet that exists already. */
function Known({ title, submit, back, act, secret, help, passwordHelp, children }: KnownProps) {
  const texts = welcomeTexts();
  const begin = async (typed: Typed) => {
    const birthday = typedBirthday(typed('birthday'));
    await act(typed, { password: chosenPassword(typed), ...birthday });
    await store.reload();
  };
  return (
    <Card title={title} isFocused>
      <Form submit={submit} more={back} act={begin}>
        <Field kind="secretArea" name="secret" label={secret} help={help} />
        <Field kind="birthday" name="birthday" label={texts.birthday} help={texts.birthdayHelp} />
        <NewPassword label={texts.newPassword} help={passwordHelp} />
        {children}
      </Form>
    </Card>
  );
}
