// A new wallet: password, then the phrase once, then a check of some of its words. The phrase leaves the page when the
// user has written it down; only the words of the check stay until they are typed.

import { useState } from 'preact/hooks';
import { type AskedWord, isSameWord, wordsToAsk } from '../../model/phraseCheck.ts';
import { Objection, useApp } from '../parts/app.ts';
import { chosenPassword, Form, NewPassword, TextField, type Typed } from '../parts/form.tsx';
import { Actions, Card, Focused } from '../parts/layout.tsx';
import { Hint, Phrase } from '../parts/text.tsx';
import { BackButton, type FlowProps } from './flow.tsx';

const ASKED = 3;

const random = (): number => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32;

interface Made {
  readonly mnemonic: string;
  readonly warning?: string | undefined;
}

export function Create({ back }: FlowProps) {
  const { call, store } = useApp();
  const [step, setStep] = useState<{ readonly made?: Made; readonly asked?: readonly AskedWord[] }>({});
  if (step.made) {
    const { mnemonic, warning } = step.made;
    const next = () => setStep({ asked: wordsToAsk(mnemonic, ASKED, random) });
    return (
      <Focused key="phrase">
        <NewPhrase phrase={mnemonic} warning={warning} next={next} />
      </Focused>
    );
  }
  if (step.asked) {
    return (
      <Focused key="check">
        <Check asked={step.asked} />
      </Focused>
    );
  }
  const create = async (typed: Typed) => {
    const password = chosenPassword(typed);
    store.set({ isHeld: true });
    try {
      setStep({ made: await call('wallet.create', { password }) });
    } catch (thrown) {
      store.set({ isHeld: false });
      throw thrown;
    }
  };
  return (
    <Card title="Create a new wallet">
      <Form submit="Create wallet" more={<BackButton back={back} />} act={create}>
        <NewPassword label="Password" help="It protects the wallet on this machine. Nobody can reset it." />
      </Form>
    </Card>
  );
}

interface NewPhraseProps {
  phrase: string;
  warning: string | undefined;
  next: () => void;
}

function NewPhrase({ phrase, warning, next }: NewPhraseProps) {
  return (
    <Card title="Your recovery phrase">
      <p>
        Write these words down on paper, in this order. They are the wallet: whoever has them has the money,
        and if this machine is lost, they are the only way back.
      </p>
      <Hint text="Do not photograph them or keep them in a file. Later they are only shown again with your password." />
      <Phrase text={phrase} />
      {warning !== undefined && <p class="notice">{warning}</p>}
      <Actions>
        <button type="button" onClick={next}>
          I have written it down
        </button>
      </Actions>
    </Card>
  );
}

function Check({ asked }: { asked: readonly AskedWord[] }) {
  const { store } = useApp();
  const done = async () => {
    store.set({ isHeld: false });
    await store.reload();
  };
  const check = async (typed: Typed) => {
    const wrong = asked.find((word) => !isSameWord(typed(`word${word.number}`), word));
    if (wrong !== undefined) {
      throw new Objection(
        `Word ${wrong.number} is a different one. Look at your paper again. If it is wrong there: skip the check, and look the phrase up in the settings with your password.`,
        `word${wrong.number}`,
      );
    }
    await done();
  };
  const skip = (
    <button type="button" class="quiet" onClick={done}>
      Skip the check
    </button>
  );
  const attributes = { required: true, autocapitalize: 'none', autocorrect: 'off', maxLength: 12 } as const;
  return (
    <Card title="Check what you wrote">
      <p>Type these words from your paper. That way you know that it can be read.</p>
      <Form submit="Check" more={skip} act={check}>
        {asked.map(({ number }) => (
          <TextField
            key={number}
            name={`word${number}`}
            label={`Word ${number}`}
            data-secret
            {...attributes}
          />
        ))}
      </Form>
    </Card>
  );
}
