// The lock of the till: the cashier's PIN by keys or by fingers, or the password that ends the till.

import { codeOf, Objection } from '../../model/problems.ts';
import { tillTexts } from '../../texts/till.ts';
import { unlockTill } from '../live/till.ts';
import { EndForm } from '../parts/cashier.tsx';
import { Field, Form } from '../parts/form.tsx';
import { Card, Details } from '../parts/layout.tsx';

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'];
const MOST_DIGITS = 8;

export function TillLock() {
  const texts = tillTexts();
  const unlock = async (pin: string) => {
    try {
      await unlockTill(pin);
    } catch (thrown) {
      throw codeOf(thrown) === 'WRONG_PASSWORD' ? new Objection(texts.wrongPin, 'pin') : thrown;
    }
  };
  return (
    <Card title={texts.tillLocked}>
      <Form submit={texts.unlockTill} act={(typed) => unlock(typed('pin'))}>
        <Field kind="pin" name="pin" label={texts.pin} />
        <Keypad />
      </Form>
      <Details summary={texts.endTill}>
        <EndForm />
      </Details>
    </Card>
  );
}

/** For a screen without keys: types into the field of its form. */
function Keypad() {
  const texts = tillTexts();
  const change = (button: HTMLButtonElement, typed: (before: string) => string) => {
    const field = button.form!.querySelector<HTMLInputElement>('input[name=pin]')!;
    field.value = typed(field.value).slice(0, MOST_DIGITS);
  };
  return (
    <fieldset class="keypad" aria-label={texts.keypad}>
      {DIGITS.map((digit) => (
        <button
          key={digit}
          type="button"
          class="quiet"
          onClick={({ currentTarget }) => change(currentTarget, (before) => before + digit)}
          children={digit}
        />
      ))}
      <button
        type="button"
        class="quiet"
        aria-label={texts.eraseDigit}
        onClick={({ currentTarget }) => change(currentTarget, (before) => before.slice(0, -1))}
        children="⌫"
      />
    </fieldset>
  );
}
