// Forms that show errors, prevent double submission, and keep no secret: typed secrets are removed from the page before
// the call, and restored only if the call fails for another reason than the password.

import { LEAST_NEW_PASSWORD, newPasswordProblem } from '@wallet-companion/client/contract';
import type { ComponentChildren, Ref } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fieldsOf, Objection, wrongPasswords } from '../../model/problems.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { formats, store } from '../live/app.ts';
import { useAttempt } from './hooks.ts';
import { Actions, useFreshId } from './layout.tsx';
import { Problem } from './text.tsx';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
/** What was typed into the field of this name. */
export type Typed = (name: string) => string;

const EXACT = { autocapitalize: 'none', autocorrect: 'off', required: true, 'data-secret': true };
const PASSWORD = { type: 'password', maxLength: 1024 };
const KINDS = {
  text: { type: 'text' },
  search: { type: 'text' },
  birthday: { type: 'text', class: 'short', maxLength: 12, placeholder: '2021-06' },
  number: { type: 'text', class: 'short', inputMode: 'numeric', maxLength: 10 },
  label: { type: 'text', maxLength: 100 },
  amount: { type: 'text', class: 'short', inputMode: 'decimal', maxLength: 20 },
  url: { type: 'text', inputMode: 'url', maxLength: 2048 },
  recipient: { type: 'text', maxLength: 16_384, required: true },
  memo: { type: 'text', maxLength: 512 },
  area: { rows: 3 },
  passphrase: PASSWORD,
  password: { ...PASSWORD, autocomplete: 'current-password', required: true },
  newPassword: { ...PASSWORD, autocomplete: 'new-password', required: true },
  /** Browsers keep no code of one time. */
  pin: {
    ...PASSWORD,
    class: 'short',
    autocomplete: 'one-time-code',
    inputMode: 'numeric',
    maxLength: 8,
    required: true,
  },
  word: { ...EXACT, type: 'text', maxLength: 12 },
  secretArea: { ...EXACT, rows: 4 },
};

interface FieldProps {
  label: string;
  name?: string;
  kind?: keyof typeof KINDS;
  hidden?: boolean;
  required?: boolean;
  placeholder?: string;
  value?: string;
  defaultValue?: string;
  onText?: (text: string) => void;
  /** What can be chosen. */
  options?: readonly (readonly [value: string, text: string])[] | undefined;
  /** What can be chosen besides typing. */
  suggested?: readonly string[];
  /** Below the control. */
  help?: string | undefined;
}

export function Field({
  label,
  kind = 'text',
  hidden,
  onText,
  options,
  suggested,
  help,
  ...rest
}: FieldProps) {
  const id = useFreshId();
  const Tag = (options ? 'select' : 'rows' in KINDS[kind] ? 'textarea' : 'input') as 'input';
  return (
    <div class="field" hidden={hidden === true}>
      <label for={id}>{label}</label>
      <Tag
        id={id}
        autocomplete="off"
        // A spelling checker may send the typed text to a server.
        spellcheck={false}
        aria-describedby={help && `${id}-help`}
        list={suggested && `${id}-list`}
        onInput={({ currentTarget }) => onText?.(currentTarget.value)}
        {...(KINDS[kind] as object)}
        {...rest}
      >
        {options?.map(([value, text]) => (
          <option key={value} value={value} children={text} />
        ))}
      </Tag>
      {suggested && (
        <datalist id={`${id}-list`} children={suggested.map((text) => <option key={text} value={text} />)} />
      )}
      {help && <p class="help" id={`${id}-help`} children={help} />}
    </div>
  );
}

interface CheckProps {
  text: string;
  isOn: boolean;
  check: (isOn: boolean) => unknown;
  hidden?: boolean;
  /** Only one of a group is on. */
  group?: string;
  inputRef?: Ref<HTMLInputElement>;
}

export function Check({ text, isOn, check, hidden = false, group, inputRef = null }: CheckProps) {
  // Not by `change`, which comes after `input`: a form that draws itself anew on input would take the tick back before.
  const change = (event: { currentTarget: HTMLInputElement }) => check(event.currentTarget.checked);
  return (
    <label class="check" hidden={hidden}>
      <input
        type={group ? 'radio' : 'checkbox'}
        name={group}
        checked={isOn}
        onInput={change}
        ref={inputRef}
      />
      {text}
    </label>
  );
}

interface TicksProps<T extends string> {
  legend: string;
  offered: readonly T[];
  /** While it is ticked, the others are not shown. */
  all: T;
  ticked: readonly T[];
  tick: (ticked: readonly T[]) => void;
  text: (one: T) => string;
}

export const Ticks = <T extends string>({ legend, offered, all, ticked, tick, text }: TicksProps<T>) => (
  <fieldset class="consents">
    <legend>{legend}</legend>
    {offered.map((one) => (
      <Check
        key={one}
        text={text(one)}
        hidden={one !== all && ticked.includes(all)}
        isOn={ticked.includes(one)}
        check={(isOn) => tick(offered.filter((other) => (other === one ? isOn : ticked.includes(other))))}
      />
    ))}
  </fieldset>
);

export const PasswordField = (props: Partial<FieldProps>) => (
  <Field kind="password" name="password" label={sharedTexts().password} {...props} />
);

/** Read with `chosenPassword`. */
export const NewPassword = ({ label, help }: { label: string; help?: string }) => (
  <>
    <Field kind="newPassword" name="new" label={label} help={help} />
    <Field kind="newPassword" name="again" label={sharedTexts().passwordAgain(label)} />
  </>
);

export function chosenPassword(typed: Typed): string {
  if (typed('new') !== typed('again')) throw new Objection(sharedTexts().notTheSame, 'new');
  if (newPasswordProblem(typed('new')) !== undefined)
    throw new Objection(sharedTexts().shortPassword(LEAST_NEW_PASSWORD), 'new');
  return typed('new');
}

/** Read with `typedZatoshi`. */
export const AmountField = (props: Partial<FieldProps>) => (
  <Field kind="amount" name="amount" label={sharedTexts().amount} {...props} />
);

export function typedZatoshi(typed: Typed): number {
  const zatoshi = formats.typedAmount(typed('amount'));
  if (zatoshi !== undefined) return zatoshi;
  throw new Objection(sharedTexts().notAnAmount(formats.example()), 'amount');
}

export interface FormProps {
  submit: string;
  class?: string;
  act: (typed: Typed, form: HTMLFormElement) => Promise<unknown>;
  onInput?: (event: Event) => void;
  /** Beside the button. */
  more?: ComponentChildren;
  children?: ComponentChildren;
}

export function Form({ submit, act, onInput = () => undefined, more, children, ...rest }: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  const [at, setAt] = useState<Control>();
  const { isBusy, problem, attempt } = useAttempt();
  useLayoutEffect(() => {
    const form = element.current!;
    return () => takeSecrets(form);
  }, []);
  const send = (event: Event) => {
    event.preventDefault();
    const form = element.current!;
    const controls = controlsOf(form);
    at?.removeAttribute('aria-invalid');
    setAt(undefined);
    // In no attribute, and dropped after the answer.
    const typed = new Map(controls.map((control) => [control, control.value]));
    const named = (name: string | undefined) => controls.find((control) => control.name === name);
    const send = () => {
      const empty = controls.find((control) => control.required && control.value === '');
      if (empty) throw new Objection(sharedTexts().fillIn, empty.name);
      takeSecrets(form);
      return act((name) => typed.get(named(name)!) ?? '', form);
    };
    const failed = (thrown: unknown) => {
      const at = fieldsOf(thrown)
        .map(named)
        .find((control) => control?.checkVisibility());
      const wrong = wrongPasswords(thrown, at?.autocomplete);
      at?.setAttribute('aria-invalid', 'true');
      setAt(at);
      // A view that was closed, for example by a lock, gets nothing back.
      if (form.isConnected)
        for (const [control, value] of typed)
          if (control.value === '' && !wrong.includes(control.autocomplete)) control.value = value;
      (at ?? form.querySelector<HTMLInputElement>('input[type=password]'))?.focus();
    };
    void attempt(async () => send(), failed);
  };
  return (
    <form ref={element} noValidate autocomplete="off" aria-busy={isBusy} onSubmit={send} onInput={onInput}>
      {children}
      <Problem text={problem && [at?.labels?.[0]?.textContent, problem].filter(Boolean).join(': ')} />
      <Actions>
        <button type="submit" aria-disabled={isBusy} {...rest} children={submit} />
        {more}
      </Actions>
    </form>
  );
}

const controlsOf = (form: HTMLFormElement): readonly Control[] => [
  ...form.querySelectorAll<Control>('input, textarea, select'),
];

function takeSecrets(form: HTMLFormElement): void {
  for (const control of controlsOf(form))
    if (control.type === 'password' || 'secret' in control.dataset) control.value = '';
}

type DecisionProps = Omit<FormProps, 'act'> & {
  decide: (password: { password: string }, typed: Typed) => Promise<unknown>;
};

/** What concerns the whole companion, and needs the password of its default wallet. */
export const Decision = ({ decide, children, ...rest }: DecisionProps) => (
  <Form {...rest} act={(typed) => decide({ password: typed('password') }, typed)}>
    {children}
    <PasswordField label={store.wallet ? sharedTexts().defaultPassword : sharedTexts().password} />
  </Form>
);

type ActionProps = { text: string; class?: string; act: () => Promise<unknown> };

/** A button whose action may fail; the error is shown beside it. */
export function ActionButton({ text, act, ...rest }: ActionProps) {
  const { isBusy, problem, attempt } = useAttempt();
  return (
    <span class="action">
      <button type="button" aria-disabled={isBusy} onClick={() => attempt(act)} {...rest} children={text} />
      {problem && <span class="problem" role="alert" children={problem} />}
    </span>
  );
}
