// No wallet yet: create one, restore one from its phrase, or watch one by its viewing key.

import type { ComponentChildren, FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import { call, store } from '../app.ts';
import { Objection } from '../parts/calls.ts';
import { chosenPassword, Field, Form, NewPassword, type Typed } from '../parts/form.tsx';
import { Card, Details, Focused } from '../parts/layout.tsx';
import { Create } from './create.tsx';

/** `back`: the button that leads back to the choice. */
export interface FlowProps {
  readonly back: ComponentChildren;
}

type Flow = FunctionComponent<FlowProps>;

const CHOICES: readonly (readonly [title: string, text: string, Flow: Flow])[] = [
  ['Create a new wallet', 'You get a recovery phrase to write down.', Create],
  ['Restore a wallet', 'You have a recovery phrase of 12 to 24 words.', Restore],
  ['Watch a wallet', 'You have a viewing key, and no phrase.', Watch],
];

export function Welcome() {
  const [chosen, choose] = useState<{ readonly Flow: Flow }>();
  const back = <button type="button" class="quiet" onClick={() => choose(undefined)} children="Back" />;
  if (chosen) {
    return (
      <div class="narrow">
        <Focused>
          <chosen.Flow back={back} />
        </Focused>
      </div>
    );
  }
  return (
    <div class="narrow">
      <Card title="There is no wallet here yet">
        <p>
          The keys stay on this machine, in a file that only your password opens. This wallet watches and
          counts; it cannot spend.
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
        </ul>
      </Card>
    </div>
  );
}

const BIRTHDAY =
  'A month or day before the first payment, or a block height. Left empty, everything since 2018 is read, which takes long.';

/** A year of four digits is a date: no wallet with a shielded pool begins below block 9999. */
function birthdayOf(typed: Typed): { birthday?: string; birthday_height?: number } {
  const text = typed('birthday').trim();
  if (text === '') return {};
  if (/^20\d\d(-\d\d){0,2}$/.test(text)) return { birthday: text };
  const height = text.replaceAll(/[\s.,'\u2019]/g, '');
  if (/^\d{1,10}$/.test(height)) return { birthday_height: Number(height) };
  throw new Objection(
    'The birthday is a month such as 2021-06, or a block height such as 2900000.',
    'birthday',
  );
}

function Restore({ back }: FlowProps) {
  const restore = async (typed: Typed) => {
    const birthday = birthdayOf(typed);
    const passphrase = typed('passphrase') === '' ? {} : { bip39_passphrase: typed('passphrase') };
    const password = chosenPassword(typed);
    await call('wallet.restore', { mnemonic: typed('phrase'), password, ...passphrase, ...birthday });
    await store.reload();
  };
  const help = '12 to 24 words with spaces between. Capitals do not matter.';
  const passphraseHelp = 'Only if you chose one together with the phrase. Most wallets have none.';
  return (
    <Card title="Restore a wallet">
      <Form submit="Restore wallet" more={back} act={restore}>
        <Field kind="secretArea" name="phrase" label="Recovery phrase" help={help} />
        <Field kind="birthday" name="birthday" label="Birthday" help={BIRTHDAY} />
        <NewPassword
          label="New password"
          help="It protects the wallet on this machine. Nobody can reset it."
        />
        <Details summary="There was a passphrase">
          <Field kind="passphrase" name="passphrase" label="BIP-39 passphrase" help={passphraseHelp} />
        </Details>
      </Form>
    </Card>
  );
}

function Watch({ back }: FlowProps) {
  const watch = async (typed: Typed) => {
    const birthday = birthdayOf(typed);
    const password = chosenPassword(typed);
    await call('wallet.import_viewing_key', { viewing_key: typed('key'), password, ...birthday });
    await store.reload();
  };
  const help = 'A unified viewing key (uview…, uivk…) or a Sapling one (zxviews…).';
  return (
    <Card title="Watch a wallet">
      <Form submit="Watch wallet" more={back} act={watch}>
        <Field kind="secretArea" name="key" label="Viewing key" help={help} />
        <Field kind="birthday" name="birthday" label="Birthday" help={BIRTHDAY} />
        <NewPassword label="New password" help="It protects the viewing key on this machine." />
      </Form>
    </Card>
  );
}
