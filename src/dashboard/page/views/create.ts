// A new wallet: password, then the phrase once, then a check of some of its words. The phrase leaves the page when the
// user has written it down; only the words of the check stay until they are typed.

import { type AskedWord, isSameWord, wordsToAsk } from '../../model/phraseCheck.ts';
import type { App } from '../parts/app.ts';
import { card } from '../parts/card.ts';
import { h, replace } from '../parts/dom.ts';
import { form, Objection, passwordField, take, textField } from '../parts/form.ts';
import { phraseGrid } from '../parts/phraseGrid.ts';
import type { Flow } from './welcome.ts';

const ASKED = 3;

const random = (): number => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32;

export function createFlow(app: App, back: () => void): Flow {
  const element = h('div');
  let clear = (): void => {};
  const leave = (): void => {
    clear();
    clear = () => {};
    replace(element);
    app.hold(false);
  };
  const done = async (): Promise<void> => {
    leave();
    await app.store.reload();
    app.store.changed();
  };

  const password = passwordField(
    'Password',
    true,
    'It protects the wallet on this machine. Nobody can reset it.',
  );
  const again = passwordField('Password again', true);
  const ask = (): void => {
    clear = () => {
      take(password);
      take(again);
    };
    replace(
      element,
      card(
        'Create a new wallet',
        form({
          fields: [password.element, again.element],
          submit: 'Create wallet',
          more: [h('button', { type: 'button', class: 'quiet', onclick: back }, 'Back')],
          act: async () => {
            const [chosen, repeated] = [take(password), take(again)];
            if (chosen !== repeated) throw new Objection('The two passwords are not the same.', password);
            app.hold(true);
            try {
              const { mnemonic, warning } = await app.call('wallet.create', { password: chosen });
              showPhrase(mnemonic, warning);
            } catch (thrown) {
              app.hold(false);
              throw thrown;
            }
          },
        }),
      ),
    );
  };

  const showPhrase = (phrase: string, warning?: string): void => {
    const grid = phraseGrid(phrase);
    let asked: readonly AskedWord[] = wordsToAsk(phrase, ASKED, random);
    clear = () => {
      grid.clear();
      asked = [];
    };
    const button = h(
      'button',
      {
        type: 'button',
        onclick: () => {
          grid.clear();
          check(asked);
        },
      },
      'I have written it down',
    );
    const title = h('h2', { tabindex: '-1' }, 'Your recovery phrase');
    replace(
      element,
      h(
        'section',
        { class: 'card' },
        title,
        h(
          'p',
          {},
          'Write these words down on paper, in this order. They are the wallet: whoever has them has the money, and if this machine is lost, they are the only way back.',
        ),
        h(
          'p',
          { class: 'hint' },
          'Do not photograph them or keep them in a file. Later they are only shown again with your password.',
        ),
        grid.element,
        warning !== undefined && h('p', { class: 'notice' }, warning),
        h('div', { class: 'actions' }, button),
      ),
    );
    title.focus();
  };

  const check = (asked: readonly AskedWord[]): void => {
    let wanted = asked;
    const fields = asked.map(({ number }) =>
      textField(`Word ${number}`, {
        required: true,
        autocapitalize: 'none',
        autocorrect: 'off',
        maxlength: 12,
      }),
    );
    clear = () => {
      wanted = [];
      for (const field of fields) take(field);
    };
    const skip = h(
      'button',
      { type: 'button', class: 'quiet', onclick: () => void done() },
      'Skip the check',
    );
    replace(
      element,
      card(
        'Check what you wrote',
        h('p', {}, 'Type these words from your paper. That way you know that it can be read.'),
        form({
          fields: fields.map((field) => field.element),
          submit: 'Check',
          more: [skip],
          act: async () => {
            const wrong = wanted.findIndex((word, index) => !isSameWord(fields[index]!.input.value, word));
            if (wrong >= 0) {
              const { number } = wanted[wrong]!;
              throw new Objection(
                `Word ${number} is a different one. Look at your paper again. If it is wrong there: skip the check, and look the phrase up in the settings with your password.`,
                fields[wrong]!,
              );
            }
            await done();
          },
        }),
      ),
    );
    fields[0]?.input.focus();
  };

  ask();
  return { element, leave };
}
