// A new wallet: password, then the phrase once, then a check of some of its words. The phrase leaves the page when the
// user has written it down; only the words of the check stay until they are typed.

import { type AskedWord, isSameWord, wordsToAsk } from '@wallet-companion/client/contract';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Objection } from '../../model/problems.ts';
import { call, store } from '../live/app.ts';
import { chosenPassword, Field, Form, NewPassword, type Typed } from '../parts/form.tsx';
import { Actions, Card } from '../parts/layout.tsx';
import { Hint, Notice, Phrase } from '../parts/text.tsx';

/** `back`: the button that leads back to the choice. */
export interface FlowProps {
  readonly back: ComponentChildren;
}

const ASKED = 3;

const random = (): number => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32;

export function Create({ back }: FlowProps) {
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
      <Card key="phrase" title="Your recovery phrase" isFocused>
        <p>
          Write these words down on paper, in this order. They are the wallet: anyone who has them has the
          money, and if this machine is lost, they are the only way back.
        </p>
        <Hint text="Do not photograph them or keep them in a file. Later they are only shown again with your password." />
        <Phrase text={made.mnemonic} />
        <Notice text={made.warning} />
        <Actions>
          <button type="button" onClick={written} children="I have written it down" />
        </Actions>
      </Card>
    );
  }
  return (
    <Card title="Create a new wallet" isFocused>
      <Form submit="Create wallet" more={back} act={create}>
        <NewPassword label="Password" help="It protects the wallet on this machine. Nobody can reset it." />
      </Form>
    </Card>
  );
}

function Check({ asked }: { asked: readonly AskedWord[] }) {
  const done = async () => {
    store.set({ isHeld: false });
    await store.reload();
  };
  const check = async (typed: Typed) => {
    const wrong = asked.find((word) => !isSameWord(typed(`word${word.number}`), word))?.number;
    if (wrong === undefined) return done();
    throw new Objection(
      `Word ${wrong} is a different one. Look at your paper again. If it is wrong there: skip the check, and look the phrase up in the settings with your password.`,
      `word${wrong}`,
    );
  };
  const skip = <button type="button" class="quiet" onClick={done} children="Skip the check" />;
  return (
    <Card title="Check what you wrote" isFocused>
      <p>Type these words from your paper. That way you know that it can be read.</p>
      <Form submit="Check" more={skip} act={check}>
        {asked.map(({ number }) => (
          <Field key={number} kind="word" name={`word${number}`} label={`Word ${number}`} />
        ))}
      </Form>
    </Card>
  );
}
