// How the page Till is left to a cashier, and taken back with the password.

import { Objection } from '../../model/problems.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { tillTexts } from '../../texts/till.ts';
import { store } from '../live/app.ts';
import { endTill, startTill, walletMayLock } from '../live/till.ts';
import { Decision, Field, Form, PasswordField } from './form.tsx';
import { Card, Details } from './layout.tsx';
import { Hint, Notice } from './text.tsx';

const PIN = /^[0-9]{4,8}$/;

export function StartTill() {
  const texts = tillTexts();
  return (
    <Details summary={texts.cashier}>
      <Decision
        submit={texts.startTill}
        decide={({ password }, typed) => {
          if (!PIN.test(typed('pin'))) throw new Objection(texts.notAPin, 'pin');
          if (typed('again') !== typed('pin')) throw new Objection(texts.notTheSamePin, 'again');
          return startTill(typed('pin'), password);
        }}
      >
        <Hint text={texts.cashierHint} />
        {store.wallet !== undefined && walletMayLock() && <Notice text={texts.mayLock} />}
        <Field kind="pin" name="pin" label={texts.pin} />
        <Field kind="pin" name="again" label={texts.pinAgain} />
      </Decision>
    </Details>
  );
}

export function EndTill() {
  const texts = tillTexts();
  return (
    <Card title={texts.day}>
      <Details summary={texts.endTill}>
        <EndForm />
      </Details>
    </Card>
  );
}

/** Of the default wallet, as it began. */
export function EndForm() {
  const texts = tillTexts();
  return (
    <Form submit={texts.endTill} act={(typed) => endTill(typed('password'))}>
      <Hint text={texts.endHint} />
      <PasswordField label={store.wallet ? sharedTexts().defaultPassword : sharedTexts().password} />
    </Form>
  );
}
