// A secret that is shown after the password, and removed again: by the button, by leaving the page, or after a while.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { settingsTexts } from '../../texts/settings.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { Form, PasswordField } from './form.tsx';
import { Actions, Card, type Fact, Facts, focusOn } from './layout.tsx';
import { Boxed, CopyButton, Hint, Phrase } from './text.tsx';

const SHOWN_MS = 120_000;

interface Secret {
  readonly phrase?: string;
  readonly viewingKey?: string;
  readonly facts: readonly (Fact | false)[];
}

interface RevealProps {
  title: string;
  text: string;
  submit: string;
  read: (password: string) => Promise<Secret>;
}

export function Reveal({ title, text, submit, read }: RevealProps) {
  const [secret, setSecret] = useState<Secret>();
  const { phrase, viewingKey, facts = [] } = secret ?? {};
  return (
    <Card title={title}>
      <Hint text={text} />
      {phrase && <Phrase text={phrase} />}
      {viewingKey && <Boxed text={viewingKey} />}
      {secret ? (
        <>
          <Facts rows={facts} />
          <Shown hide={() => setSecret(undefined)}>
            {/* Copied text stays in the system's clipboard: acceptable for a viewing key, not for the phrase. */}
            {viewingKey && <CopyButton what={settingsTexts().theViewingKey} text={viewingKey} />}
          </Shown>
        </>
      ) : (
        <Form submit={submit} class="quiet" act={async (typed) => setSecret(await read(typed('password')))}>
          <PasswordField />
        </Form>
      )}
    </Card>
  );
}

/** Below a secret. */
export function Shown({ hide, children }: { hide: () => void; children: ComponentChildren }) {
  useEffect(() => {
    const timer = setTimeout(hide, SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Actions>
      <button type="button" onClick={hide} ref={focusOn} children={sharedTexts().hide} />
      {children}
    </Actions>
  );
}
