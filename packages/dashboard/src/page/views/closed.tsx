// The views before the companion's first answer, when it no longer answers or shows this page nothing, and of a locked wallet.

import { sharedTexts } from '../../texts/shared.ts';
import { call, isWindow, store } from '../live/app.ts';
import { Form, PasswordField, type Typed } from '../parts/form.tsx';
import { Card } from '../parts/layout.tsx';
import { Hint } from '../parts/text.tsx';

export const Connecting = () => <Hint text={sharedTexts().connecting} />;

export function Lost() {
  const texts = sharedTexts();
  return (
    <Card title={texts.lostTitle}>
      <p>{`${texts.lostText} ${isWindow ? texts.lostWindow : texts.lostBrowser}`}</p>
    </Card>
  );
}

export const Refused = () => (
  <Card title={sharedTexts().refusedTitle}>
    <p>
      {sharedTexts().refusedText}
      <code> wallet-companion dashboard</code>
    </p>
  </Card>
);

export function Unlock() {
  const texts = sharedTexts();
  const reasons: Readonly<Record<string, string>> = texts.lockReasons;
  const unlock = async (typed: Typed) => {
    await call('wallet.unlock', { password: typed('password') });
    await store.reload();
  };
  return (
    <Card title={texts.unlockTitle}>
      <Hint text={reasons[store.lockedBecause ?? '']} />
      <Form submit={texts.unlock} act={unlock}>
        <PasswordField />
      </Form>
    </Card>
  );
}
