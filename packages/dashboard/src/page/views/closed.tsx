// The views before the companion's first answer, when it no longer answers or shows this page nothing, and of a locked wallet.

import { call, isWindow, store } from '../live/app.ts';
import { Form, PasswordField, type Typed } from '../parts/form.tsx';
import { Card } from '../parts/layout.tsx';
import { Hint } from '../parts/text.tsx';

export const Connecting = () => <Hint text="Asking the companion…" />;

export function Lost() {
  const how = isWindow
    ? 'Close this window and open it again.'
    : 'Start it again with "wallet-companion serve"; this page then comes back by itself.';
  return (
    <Card title="The companion does not answer">
      <p>{`It was stopped, or it is starting. Nothing of the wallet is shown meanwhile. ${how}`}</p>
    </Card>
  );
}

export const Refused = () => (
  <Card title="Not open to this page">
    <p>
      This companion shows nothing without its owner's leave. If you are the owner, run
      <code> wallet-companion dashboard </code> on this machine, and open the link that it writes.
    </p>
  </Card>
);

const REASONS: Readonly<Record<string, string>> = {
  idle: 'It locked itself because nobody used it for a while.',
  thread_lost: 'A part of the companion had to be restarted, which locks the wallet.',
  asked: 'It was locked.',
};

export function Unlock() {
  const unlock = async (typed: Typed) => {
    await call('wallet.unlock', { password: typed('password') });
    await store.reload();
  };
  return (
    <Card title="Unlock your wallet">
      <Hint text={REASONS[store.lockedBecause ?? '']} />
      <Form submit="Unlock" act={unlock}>
        <PasswordField />
      </Form>
    </Card>
  );
}
