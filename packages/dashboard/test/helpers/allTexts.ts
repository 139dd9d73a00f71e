// All texts of the pages, by file and path; what a function makes has `‹0›` for its first argument.

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { activityTexts } from '../../src/texts/activity.ts';
import { contactsTexts } from '../../src/texts/contacts.ts';
import { deviceTexts } from '../../src/texts/device.ts';
import { exchangeTexts } from '../../src/texts/exchange.ts';
import { grantsTexts } from '../../src/texts/grants.ts';
import { type Language, setLanguage } from '../../src/texts/language.ts';
import { overviewTexts } from '../../src/texts/overview.ts';
import { payTexts } from '../../src/texts/pay.ts';
import { receiptsTexts } from '../../src/texts/receipts.ts';
import { receiveTexts } from '../../src/texts/receive.ts';
import { scanTexts } from '../../src/texts/scan.ts';
import { settingsTexts } from '../../src/texts/settings.ts';
import { sharedTexts } from '../../src/texts/shared.ts';
import { statementTexts } from '../../src/texts/statement.ts';
import { tillTexts } from '../../src/texts/till.ts';
import { welcomeTexts } from '../../src/texts/welcome.ts';

/** The sources, from `dist/test/helpers`. */
export const root = path.resolve(import.meta.dirname, '../../../src');
/** TypeScript in a folder of the sources. */
export const filesIn = (folder: string) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.join(folder, name));

type Texts = Readonly<Record<string, unknown>>;

export const TRANSLATED = ['de', 'es'] as const satisfies readonly Language[];

/** Paths of all texts; what a function makes has its arguments in it. */
function flat(texts: unknown, at = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof texts === 'string') return [[at, texts]];
  if (typeof texts === 'function') {
    const given = Array.from({ length: texts.length }, (_, index) => `‹${index}›`);
    return [[at, String(texts(...given))]];
  }
  return Object.entries(texts as Texts).flatMap(([name, part]) => flat(part, `${at}.${name}`));
}

export const ROOMS: Readonly<Record<string, () => Texts>> = {
  activity: activityTexts,
  contacts: contactsTexts,
  device: deviceTexts,
  exchange: exchangeTexts,
  grants: grantsTexts,
  overview: overviewTexts,
  pay: payTexts,
  receipts: receiptsTexts,
  receive: receiveTexts,
  scan: scanTexts,
  settings: settingsTexts,
  shared: sharedTexts,
  statement: statementTexts,
  till: tillTexts,
  welcome: welcomeTexts,
};

export function textsOf(room: () => Texts, language: Language): ReadonlyMap<string, string> {
  setLanguage([language]);
  const texts = new Map(flat(room()));
  setLanguage([]);
  return texts;
}

/** Whether a whole text is one of English, and of no other language. */
export function isEnglish(): (text: string) => boolean {
  const all = (language: Language) =>
    Object.values(ROOMS).flatMap((room) => [...textsOf(room, language).values()]);
  const others = new Set(TRANSLATED.flatMap(all));
  const parts = all('en')
    .filter((text) => /\p{L}{3}/u.test(text.replaceAll(/‹\d›/g, '')) && !others.has(text))
    .map((text) =>
      text
        .trim()
        .replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
        .replaceAll(/‹\d›/g, '.+'),
    );
  const english = new RegExp(`^(?:${parts.join('|')})$`);
  return (text) => english.test(text);
}
