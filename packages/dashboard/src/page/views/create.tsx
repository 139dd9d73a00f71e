// A new wallet: password, then the phrase once, then a check of some of its words. The phrase leaves the page when the
// user has written it down; only the words of the check stay until they are typed.

import { type AskedWord, isSameWord, wordsToAsk } from '@wallet-companion/client/contract';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Objection } from '../../model/problems.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { welcomeTexts } from '../../texts/welcome.ts';
import { call, store, to } from '../live/app.ts';
import { chosenPassword, Field, Form, NewPassword, PasswordField, type Typed } from '../parts/form.tsx';
import { Actions, Card, Details } from '../parts/layout.tsx';
import { Hint, Notice, Phrase } from '../parts/text.tsx';

/** `back`: the button that leads back to the choice. */
export interface FlowProps {
  readonly back: ComponentChildren;
}

const ASKED = 3;

const random = (): number => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32;

export function Create({ back }: FlowProps) {
  const texts = welcomeTexts();
  const [made, setMade] = useState<{ mnemonic: string; warning?: string | undefined }>();
  const [asked, setAsked] = useState<readonly AskedWord[]>();
  const create = async (typed: Typed) => {
    const password = chosenPassword(typed);
    store.set({ isHeld: true });
    try {
      setMade(await call('wallet.create', { password }));
    } catch (thrown) {
      store.set({ isHeld: false });
      throw thrown;
    }
  };
  const written = () => {
    setAsked(wordsToAsk(made!.mnemonic, ASKED, random));
    setMade(undefined);
  };
  if (asked) return <Check asked={asked} />;
  if (made) {
    return (
      <Card key="phrase" title={texts.phraseTitle} isFocused>
        <p>{texts.phraseText}</p>
        <Hint text={texts.phraseHint} />
        <Phrase text={made.mnemonic} />
        <Notice text={made.warning} />
        <Actions>
          <button type="button" onClick={written} children={texts.written} />
        </Actions>
      </Card>
    );
  }
  return (
    <Card title={texts.create} isFocused>
      <Form submit={texts.createSubmit} more={back} act={create}>
        <NewPassword label={sharedTexts().password} help={texts.passwordHelp} />
      </Form>
    </Card>
  );
}

function Check({ asked }: { asked: readonly AskedWord[] }) {
  const texts = welcomeTexts();
  const done = async () => {
    store.set({ isHeld: false });
    await store.reload();
  };
  const check = async (typed: Typed) => {
    const wrong = asked.find((word) => !isSameWord(typed(`word${word.number}`), word))?.number;
    if (wrong !== undefined) throw new Objection(texts.otherWord(wrong), `word${wrong}`);
    await confirmWords(
      typed,
      asked.map(({ number }) => number),
    );
    await done();
  };
  const skip = <button type="button" class="quiet" onClick={done} children={texts.skip} />;
  return (
    <Card title={texts.checkTitle} isFocused>
      <p>{texts.checkText}</p>
      <Form submit={texts.check} more={skip} act={check}>
        {asked.map(({ number }) => (
          <Field key={number} kind="word" name={`word${number}`} label={texts.word(number)} />
        ))}
        <PasswordField />
      </Form>
    </Card>
  );
}

/** Tells the companion the typed words, by their numbers: from then on it does not remind. */
const confirmWords = (typed: Typed, numbers: readonly number[]) =>
  call('wallet.confirm_phrase', {
    password: typed('password'),
    words: numbers.map((number) => `${number} ${typed(`word${number}`).trim()}`).join(' '),
  });

/** On the first page, until three words were given back: the check of a new wallet was left out. */
export function PhraseReminder() {
  const [numbers, setNumbers] = useState<readonly number[]>();
  if (store.status?.phrase_confirmed !== false) return null;
  const texts = welcomeTexts();
  const draw = async (typed: Typed) =>
    setNumbers((await call('wallet.confirm_phrase', { password: typed('password') })).numbers);
  const confirm = async (typed: Typed) => {
    await confirmWords(typed, numbers!);
    await store.reload();
    store.announce(texts.confirmed);
  };
  return (
    <Card title={texts.notConfirmed}>
      <Notice text={texts.notConfirmedText} />
      <p class="more">
        <a href={to('settings')}>{texts.seePhrase}</a>
      </p>
      {numbers ? (
        <Form key="words" submit={texts.check} act={confirm}>
          {numbers.map((number) => (
            <Field key={number} kind="word" name={`word${number}`} label={texts.word(number)} />
          ))}
          <PasswordField />
        </Form>
      ) : (
        <Details summary={texts.haveWritten}>
          <Form key="draw" submit={texts.askMe} class="quiet" act={draw}>
            <PasswordField />
          </Form>
        </Details>
      )}
    </Card>
  );
}
