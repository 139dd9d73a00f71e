// Forms that show errors, prevent double submission, and keep no secret: typed secrets are removed from the page before
// the call, and restored only if the call fails for another reason than the password.

import { CompanionError } from '@wallet-companion/client';
import type { ComponentChildren, PartialInputHTMLAttributes } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Formats } from '../../model/amounts.ts';
import { Objection } from './app.ts';
import { useAttempts } from './calls.ts';
import { Actions, useFreshId } from './layout.tsx';
import { Problem } from './text.tsx';

interface FieldProps {
  name: string;
  label: string;
  help?: string | undefined;
  hidden?: boolean;
}

type Ids = { id: string; 'aria-describedby'?: string };

/** A label, its control and, below, a help text for the control. */
export function Field({
  label,
  help,
  hidden = false,
  control,
}: Omit<FieldProps, 'name'> & { control: (ids: Ids) => ComponentChildren }) {
  const id = useFreshId();
  const helpId = `${id}-help`;
  return (
    <div class="field" hidden={hidden}>
      <label for={id}>{label}</label>
      {control({ id, ...(help === undefined ? {} : { 'aria-describedby': helpId }) })}
      {help && (
        <p class="help" id={helpId}>
          {help}
        </p>
      )}
    </div>
  );
}

/** Of an input of any type, so without the roles that a type may have. */
type InputProps = Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'name' | 'hidden' | 'label' | 'role'>;
type TextFieldProps = FieldProps & InputProps & { type?: 'text' | 'password' };

export function TextField({ label, help, hidden = false, ...rest }: TextFieldProps) {
  const control = (ids: Ids) => (
    <input type="text" autocomplete="off" spellcheck={false} {...ids} {...(rest as object)} />
  );
  return <Field label={label} help={help} hidden={hidden} control={control} />;
}

export function AmountField({ help, hidden = false }: { help: string; hidden?: boolean }) {
  const attributes = { inputMode: 'decimal', maxLength: 20, class: 'short' } as const;
  return <TextField name="amount" label="Amount" help={help} hidden={hidden} {...attributes} />;
}

export function typedZatoshi(typed: Typed, formats: Formats): number {
  const zatoshi = formats.typedAmount(typed('amount'));
  if (zatoshi !== undefined) return zatoshi;
  throw new Objection(`This is not an amount. Write it like ${formats.example()}.`, 'amount');
}

type PasswordFieldProps = Partial<FieldProps> & { kind?: 'current-password' | 'new-password' | 'off' };

/** One that may be left empty is of the kind `off`, or hidden. */
export function PasswordField({ kind = 'current-password', ...given }: PasswordFieldProps) {
  const isRequired = kind !== 'off' && given.hidden === undefined;
  const attributes = { autocomplete: kind, required: isRequired, maxLength: 1024 };
  return <TextField type="password" name="password" label="Password" {...attributes} {...given} />;
}

/** The password is read with `chosenPassword`. */
export function NewPassword({ label, help }: { label: string; help?: string }) {
  return (
    <>
      <PasswordField name="new" label={label} help={help} kind="new-password" />
      <PasswordField name="again" label={`${label} again`} kind="new-password" />
    </>
  );
}

export function chosenPassword(typed: Typed): string {
  if (typed('new') !== typed('again')) throw new Objection('The two passwords are not the same.', 'new');
  return typed('new');
}

/** A phrase or a key. */
export function SecretField(props: FieldProps) {
  const attributes = {
    required: true,
    autocomplete: 'off',
    autocapitalize: 'none',
    autocorrect: 'off',
  } as const;
  return (
    <Field
      {...props}
      // A spelling checker may send the typed text to a server.
      control={(ids) => (
        <textarea rows={4} name={props.name} spellcheck={false} data-secret {...attributes} {...ids} />
      )}
    />
  );
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
/** What was typed into the field of this name. */
export type Typed = (name: string) => string;

interface FormProps {
  submit: string;
  buttonClass?: string;
  act: (typed: Typed, form: HTMLFormElement) => Promise<unknown>;
  onInput?: (event: Event) => void;
  /** Beside the button. */
  more?: ComponentChildren;
  children?: ComponentChildren;
}

export function Form({ submit, buttonClass = '', act, onInput, more, children }: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  const { isBusy, problem, attempt } = useAttempts();
  useLayoutEffect(() => {
    const form = element.current!;
    return () => takeSecrets(form);
  }, []);
  const send = (event: Event) => {
    event.preventDefault();
    const form = element.current!;
    const controls = controlsOf(form);
    // In no attribute, and dropped after the answer.
    const typed = new Map(controls.map((control) => [control, control.value]));
    const named = (name: string | undefined) => controls.find((control) => control.name === name);
    const check = () => {
      const empty = controls.find((control) => control.required && control.value === '');
      const label = empty?.labels?.[0]?.textContent?.toLowerCase() ?? 'this field';
      if (empty) throw new Objection(`Please fill in: ${label}.`, empty.name);
    };
    void attempt(
      async () => {
        check();
        takeSecrets(form);
        await act((name) => typed.get(named(name)!) ?? '', form);
      },
      (thrown) => {
        const at = thrown instanceof Objection ? named(thrown.at) : undefined;
        // A view that was closed, for example by a lock, gets nothing back.
        if (form.isConnected) putBack(typed, wrongPasswords(thrown, at));
        (at ?? form.querySelector<HTMLInputElement>('input[type=password]'))?.focus();
      },
    );
  };
  return (
    <form
      ref={element}
      noValidate
      autocomplete="off"
      aria-busy={isBusy || undefined}
      onSubmit={send}
      {...(onInput && { onInput })}
    >
      {children}
      <Problem text={problem} />
      <Actions>
        <button type="submit" class={buttonClass} aria-disabled={isBusy || undefined}>
          {submit}
        </button>
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

function putBack(typed: ReadonlyMap<Control, string>, wrong: readonly string[]): void {
  for (const [control, value] of typed)
    if (control.value === '' && !wrong.includes(control.autocomplete)) control.value = value;
}

/** The kinds of passwords that the user must type again. */
function wrongPasswords(thrown: unknown, at: Control | undefined): readonly string[] {
  if (at?.autocomplete.endsWith('-password')) return [at.autocomplete];
  if (!(thrown instanceof CompanionError)) return [];
  if (thrown.code === 'WRONG_PASSWORD') return ['current-password'];
  return thrown.code === 'INVALID_PASSWORD_FORMAT' ? ['current-password', 'new-password'] : [];
}

interface ActionProps {
  text: string;
  class?: string;
  act: () => Promise<unknown>;
}

/** A button whose action may fail; the error is shown beside it. */
export function ActionButton({ text, act, ...rest }: ActionProps) {
  const { isBusy, problem, attempt } = useAttempts();
  return (
    <span class="action">
      <button type="button" aria-disabled={isBusy || undefined} onClick={() => attempt(act)} {...rest}>
        {text}
      </button>
      {problem && (
        <span class="problem" role="alert">
          {problem}
        </span>
      )}
    </span>
  );
}
