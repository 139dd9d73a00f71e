// The language of all texts of the pages, chosen once before the first one is drawn. The texts are in this folder, by pages, each in
// the three languages: the compiler refuses a language that lacks one, and a test a text that is written elsewhere.

import { textsFor } from '@wallet-companion/client/checkout';

export type Language = 'en' | 'de' | 'es';

const KNOWN = [{ lang: 'en' }, { lang: 'de' }, { lang: 'es' }] as const;

let current: Language = 'en';

/** `languages`: BCP 47 tags, the preferred one first. English where none of them is known. */
export function setLanguage(languages: readonly string[]): void {
  current = textsFor<{ readonly lang: Language }>(languages, KNOWN).lang;
}

/** For the attribute `lang`. */
export const language = (): Language => current;

/** Call what it returns where the texts are drawn, not while a module loads. */
export const inLanguages =
  <T>(texts: Readonly<Record<Language, T>>): (() => T) =>
  () =>
    texts[current];
