// A secret that is shown after the password, and removed again: by the button, by leaving the page, or after a while.

import { useEffect, useState } from 'preact/hooks';
import { CopyButton } from './copy.tsx';
import { Form, PasswordField } from './form.tsx';
import { Actions, Card, type Fact, Facts } from './layout.tsx';
import { Boxed, Hint, Phrase } from './text.tsx';

const SHOWN_MS = 120_000;

interface Revealed {
  readonly phrase?: string;
  readonly viewingKey?: string;
  readonly facts: readonly (Fact | false)[];
}

interface RevealProps {
  title: string;
  text: string;
  submit: string;
  read: (password: string) => Promise<Revealed>;
}

export function Reveal({ title, text, submit, read }: RevealProps) {
  const [shown, setShown] = useState<Revealed>();
  return (
    <Card title={title}>
      <Hint text={text} />
      {shown ? (
        <Secret {...shown} hide={() => setShown(undefined)} />
      ) : (
        <Form
          submit={submit}
          buttonClass="quiet"
          act={async (typed) => setShown(await read(typed('password')))}
        >
          <PasswordField />
        </Form>
      )}
    </Card>
  );
}

function Secret({ phrase, viewingKey, facts, hide }: Revealed & { hide: () => void }) {
  useEffect(() => {
    const timer = setTimeout(hide, SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      {phrase && <Phrase text={phrase} />}
      {viewingKey && <Boxed text={viewingKey} />}
      <Facts rows={facts} />
      <Actions>
        <button type="button" onClick={hide} ref={focus}>
          Hide
        </button>
        {/* Copied text stays in the system's clipboard: acceptable for a viewing key, not for the phrase. */}
        {viewingKey && <CopyButton what="the viewing key" text={viewingKey} />}
      </Actions>
    </>
  );
}

const focus = (button: HTMLButtonElement | null): void => button?.focus();
