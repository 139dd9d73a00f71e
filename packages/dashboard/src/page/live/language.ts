// Loaded before anything else: the language of the texts. In the desktop window of a system without a language (LANG=C), WebKit names the language
// "C", which no format takes, and uplot makes one while it loads: without this, the whole page would stay empty.

import { setLanguage } from '../../texts/language.ts';

const isKnown = (language: string): boolean => {
  try {
    Intl.getCanonicalLocales(language);
    return true;
  } catch {
    return false;
  }
};

const known = navigator.languages.filter(isKnown);

/**
 * What the reader wants to read, for every format. Without it Firefox takes the language of its menus, and WebKit that of the
 * process, which writes 4000000 for 4,000,000 where the system has none.
 */
export const languages: readonly string[] = known.length === 0 ? ['en'] : known;

setLanguage(languages);
if (!isKnown(navigator.language)) Object.defineProperty(navigator, 'language', { value: languages[0] });
