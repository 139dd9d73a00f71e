// The people whom this wallet pays, by name: made, changed and removed here.

import type { Output } from '@wallet-companion/client';
import { contactsTexts } from '../../texts/contacts.ts';
import { call, store } from '../live/app.ts';
import { ActionButton, Field, Form, type Typed } from './form.tsx';
import { useAnswer } from './hooks.ts';
import { Actions, Card, Details } from './layout.tsx';
import { Boxed, Hint, Problem } from './text.tsx';

type Contact = Output<'contacts.list'>['contacts'][number];

/** The companion has no event for them: this page has changed them. */
const changed = (announcement: string) =>
  store.set({ contactChanges: store.contactChanges + 1, announcement });

export const useContacts = () => useAnswer(() => call('contacts.list'), [store.contactChanges])[0];

export function Contacts() {
  const texts = contactsTexts();
  const { value, problem } = useContacts();
  return (
    <Card title={texts.title}>
      <Problem text={problem} />
      {value?.contacts.length === 0 && <Hint text={texts.none} />}
      <ul class="origins">
        {value?.contacts.map((contact) => (
          <li key={contact.name}>
            <p>
              <bdi>{contact.name}</bdi>
            </p>
            <Hint text={contact.note} />
            <Boxed text={contact.address} />
            <Details summary={texts.change}>
              <ContactForm contact={contact} />
            </Details>
            <Actions>
              <ActionButton text={texts.remove} class="danger small" act={() => remove(contact)} />
            </Actions>
          </li>
        ))}
      </ul>
      <Details summary={texts.add}>
        <ContactForm key={store.contactChanges} />
      </Details>
    </Card>
  );
}

async function remove({ name }: Contact): Promise<void> {
  await call('contacts.remove', { name });
  changed(contactsTexts().removed);
}

const set = ({ name, address, note }: Contact) =>
  call('contacts.set', { name, address, ...(note ? { note } : {}) });

function ContactForm({ contact }: { contact?: Contact }) {
  const texts = contactsTexts();
  const keep = async (typed: Typed) => {
    const [name, note] = [typed('name').trim(), typed('note').trim()];
    // A new name is another contact, but for case, and an address has one contact: the old one goes first, and comes back if need be.
    const old = contact?.name.toLowerCase() === name.toLowerCase() ? undefined : contact;
    if (old) await call('contacts.remove', { name: old.name });
    try {
      await set({ name, address: typed('address').trim(), note });
    } catch (thrown) {
      if (old) await set(old);
      throw thrown;
    }
    changed(texts.saved);
  };
  return (
    <Form submit={texts.save} class="quiet" act={keep}>
      <Field kind="label" name="name" label={texts.name} defaultValue={contact?.name ?? ''} required />
      <Field kind="recipient" name="address" label={texts.address} defaultValue={contact?.address ?? ''} />
      <Field
        kind="memo"
        name="note"
        label={texts.note}
        defaultValue={contact?.note ?? ''}
        help={texts.noteHelp}
      />
    </Form>
  );
}
