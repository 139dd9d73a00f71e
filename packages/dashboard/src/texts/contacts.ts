// Texts of the contacts.

import { inLanguages } from './language.ts';

const EN = {
  title: 'Contacts',
  none: 'No contact yet. One with a name is chosen instead of an address.',
  add: 'Add a contact',
  change: 'Change',
  remove: 'Remove',
  save: 'Save the contact',
  name: 'Name',
  address: 'Address',
  note: 'Note',
  noteHelp: 'Your own words; they stay here.',
  saved: 'The contact is saved.',
  removed: 'The contact is removed.',
};

export type ContactsTexts = typeof EN;

const DE: ContactsTexts = {
  title: 'Kontakte',
  none: 'Noch kein Kontakt. Mit einem Namen wählen Sie ihn statt einer Adresse.',
  add: 'Kontakt hinzufügen',
  change: 'Ändern',
  remove: 'Entfernen',
  save: 'Kontakt speichern',
  name: 'Name des Kontakts',
  address: 'Adresse',
  note: 'Notiz',
  noteHelp: 'Ihre eigenen Worte; sie bleiben hier.',
  saved: 'Der Kontakt ist gespeichert.',
  removed: 'Der Kontakt ist entfernt.',
};

const ES: ContactsTexts = {
  title: 'Contactos',
  none: 'Aún no hay contactos. Con un nombre se elige en lugar de una dirección.',
  add: 'Añadir un contacto',
  change: 'Cambiar',
  remove: 'Quitar',
  save: 'Guardar el contacto',
  name: 'Nombre',
  address: 'Dirección',
  note: 'Nota',
  noteHelp: 'Sus propias palabras; se quedan aquí.',
  saved: 'El contacto está guardado.',
  removed: 'El contacto se ha quitado.',
};

export const contactsTexts = inLanguages({ en: EN, de: DE, es: ES });
