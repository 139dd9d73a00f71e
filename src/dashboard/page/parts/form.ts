// Forms that say what went wrong, can be sent once at a time, and keep no password: what was typed is taken out of the
// page before the companion is asked, and put back only where it fails for another reason than the password.

import { CompanionError } from '../../../client/client.ts';
import { type Attributes, type Child, freshId, h, setText, show } from './dom.ts';

export interface Field {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
}

/** A label, its control and, below, a word of help that belongs to it. */
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

/** What a form throws to say something that the companion did not. */
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
  /** Reads the fields (`take` empties secret ones), then asks the companion. */
  readonly act: () => Promise<void>;
  readonly more?: readonly Child[];
}

/** The value, gone from the page. */
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
          // A view that was left, as by a lock, gets nothing back.
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

/** What is in the page when the form is sent, secrets among it; in no attribute, and gone with the answer. */
const typedInto = (element: HTMLFormElement): Map<Secret, string> =>
  new Map(
    [...element.querySelectorAll<Secret>('input, textarea')].map((control) => [control, control.value]),
  );

/** Into what `take` has emptied, but for what was wrong. */
function putBack(typed: ReadonlyMap<Secret, string>, thrown: unknown): void {
  const wrong = wrongPasswords(thrown);
  for (const [control, value] of typed)
    if (control.value === '' && !wrong.includes(control.autocomplete)) control.value = value;
}

/** Which kind of password has to be typed anew. */
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

/** A button whose work may fail; where that is said stands beside it. */
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
