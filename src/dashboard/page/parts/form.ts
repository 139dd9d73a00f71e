// Forms that show errors, prevent double submission, and keep no password: typed text is removed from the page before
// the call, and restored only if the call fails for another reason than the password.

import { CompanionError } from '@wallet-companion/client';
import { type Attributes, type Child, freshId, h, setText, show } from './dom.ts';

export interface Field {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
}

/** A label, its control and, below, a help text for the control. */
export function field(label: string, input: Field['input'], help?: string, aside?: Child): Field {
  const id = freshId();
  const helpId = `${id}-help`;
  input.id = id;
  if (help !== undefined) input.setAttribute('aria-describedby', helpId);
  const element = h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    input,
    aside ?? false,
    help !== undefined && h('p', { class: 'help', id: helpId }, help),
  );
  return { element, input };
}

export const passwordField = (label: string, isNew = false, help?: string): Field =>
  field(
    label,
    h('input', {
      type: 'password',
      autocomplete: isNew ? 'new-password' : 'current-password',
      required: true,
      maxlength: 1024,
    }),
    help,
  );

export const textField = (label: string, attributes: Attributes = {}, help?: string): Field =>
  field(label, h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', ...attributes }), help);

/** A form throws it for an error that does not come from the companion. */
export class Objection extends Error {
  readonly at: Field | undefined;

  constructor(message: string, at?: Field) {
    super(message);
    this.at = at;
  }
}

export interface FormOptions {
  readonly fields: readonly Child[];
  readonly submit: string;
  readonly buttonClass?: string;
  /** Reads the fields (`take` empties secret ones), then calls the companion. */
  readonly act: () => Promise<void>;
  readonly more?: readonly Child[];
}

/** Returns the value and removes it from the page. */
export function take({ input }: Field): string {
  const { value } = input;
  input.value = '';
  return value;
}

export function form({ fields, submit, act, buttonClass = '', more = [] }: FormOptions): HTMLFormElement {
  const button = h('button', { type: 'submit', class: buttonClass }, submit);
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  let isBusy = false;
  const element = h(
    'form',
    {
      novalidate: true,
      autocomplete: 'off',
      onsubmit: async (event: Event) => {
        event.preventDefault();
        if (isBusy) return;
        isBusy = true;
        button.setAttribute('aria-disabled', 'true');
        element.setAttribute('aria-busy', 'true');
        show(problem, false);
        const typed = typedInto(element);
        try {
          const empty = [...element.querySelectorAll<HTMLInputElement>('[required]')].find(
            (input) => input.value === '',
          );
          if (empty !== undefined) {
            empty.focus();
            throw new Objection(`Please fill in: ${labelOf(empty)}.`);
          }
          await act();
        } catch (thrown) {
          setText(problem, problemText(thrown));
          show(problem, true);
          // A view that was closed, for example by a lock, gets nothing back.
          if (element.isConnected) putBack(typed, thrown);
          const at = thrown instanceof Objection ? thrown.at?.input : undefined;
          (at ?? element.querySelector<HTMLInputElement>('input[type=password]'))?.focus();
        } finally {
          typed.clear();
          isBusy = false;
          button.removeAttribute('aria-disabled');
          element.removeAttribute('aria-busy');
        }
      },
    },
    ...fields,
    problem,
    h('div', { class: 'actions' }, button, ...more),
  );
  return element;
}

type Secret = HTMLInputElement | HTMLTextAreaElement;

/** The typed text at the submission, secrets included; stored in no attribute, and dropped after the answer. */
const typedInto = (element: HTMLFormElement): Map<Secret, string> =>
  new Map(
    [...element.querySelectorAll<Secret>('input, textarea')].map((control) => [control, control.value]),
  );

/** Restores the fields that `take` has emptied, except wrong passwords. */
function putBack(typed: ReadonlyMap<Secret, string>, thrown: unknown): void {
  const wrong = wrongPasswords(thrown);
  for (const [control, value] of typed)
    if (control.value === '' && !wrong.includes(control.autocomplete)) control.value = value;
}

/** The kinds of passwords that the user must type again. */
function wrongPasswords(thrown: unknown): readonly string[] {
  if (thrown instanceof Objection) {
    const kind = thrown.at?.input.getAttribute('autocomplete');
    return kind?.endsWith('-password') === true ? [kind] : [];
  }
  if (!(thrown instanceof CompanionError)) return [];
  if (thrown.code === 'WRONG_PASSWORD') return ['current-password'];
  return thrown.code === 'INVALID_PASSWORD_FORMAT' ? ['current-password', 'new-password'] : [];
}

const labelOf = (input: HTMLInputElement): string =>
  input.labels?.[0]?.textContent?.toLowerCase() ?? 'this field';

export function problemText(thrown: unknown): string {
  if (thrown instanceof Objection) return thrown.message;
  if (!(thrown instanceof CompanionError)) return 'That did not work, for a reason the page does not know.';
  if (thrown.code === 'COMPANION_UNREACHABLE') return 'The companion does not answer.';
  const wait = thrown.retryAfterSeconds;
  return wait === undefined ? thrown.message : `${thrown.message} Wait ${Math.ceil(wait)} s.`;
}

/** A button whose action may fail; the error is shown beside it. */
export function actionButton(text: string, className: string, act: () => Promise<void>): HTMLElement {
  const problem = h('span', { class: 'problem', role: 'alert', hidden: true });
  const button = h(
    'button',
    {
      type: 'button',
      class: className,
      onclick: async () => {
        if (button.getAttribute('aria-disabled') === 'true') return;
        button.setAttribute('aria-disabled', 'true');
        show(problem, false);
        try {
          await act();
        } catch (thrown) {
          setText(problem, problemText(thrown));
          show(problem, true);
        } finally {
          button.removeAttribute('aria-disabled');
        }
      },
    },
    text,
  );
  return h('span', { class: 'action' }, button, problem);
}
