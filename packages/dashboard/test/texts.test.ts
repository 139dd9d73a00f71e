// The texts of the pages: each in every language, with the same values in them.

import path from 'node:path';
import test from 'ava';
import { failureText } from '../src/texts/errors.ts';
import { language, setLanguage } from '../src/texts/language.ts';
import { filesIn, ROOMS, TRANSLATED, textsOf } from './helpers/allTexts.ts';

/** Words that two languages share. */
const SAME =
  /^(?:[^\p{L}]*|Wallet Companion|Memo|Block|Pool|Pools|Peers|Wallets|regtest|Scan|Software|Version|Pause|Wallet: ‹0›|Block ‹0›|block ‹0›|in ‹0›|.*‹0›, ‹1›|‹0›: ‹1›| in ‹0›|admin|no|.*PCZT)$/iu;

test('the folder of texts has what is tested here', (t) => {
  const names = filesIn('texts').map((name) => path.basename(name, '.ts'));
  t.deepEqual(names.sort(), [...Object.keys(ROOMS), 'errors', 'language'].sort());
});

for (const [name, room] of Object.entries(ROOMS))
  test(`each text of ${name} is there in each language, with the same values`, (t) => {
    const english = textsOf(room, 'en');
    t.true(english.size > 10);
    for (const language of TRANSLATED) {
      const translated = textsOf(room, language);
      t.deepEqual([...translated.keys()], [...english.keys()]);
      for (const [at, text] of translated) {
        const original = english.get(at)!;
        const values = (one: string) => [...new Set(one.match(/‹\d›/g))].sort();
        t.deepEqual(values(text), values(original), `${language} ${at}`);
        t.is(text === '', original === '', `${language} ${at}`);
        if (!SAME.test(original)) t.not(text, original, `${language} ${at}`);
      }
    }
  });

test("a failure has a sentence in the reader's language, and the companion's own where that names what to change", (t) => {
  const textOf = (lang: string, code: string) => {
    setLanguage([lang]);
    const text = failureText(code, 'There is 1 ZEC.');
    setLanguage([]);
    return text;
  };
  t.is(textOf('en', 'WRONG_PASSWORD'), 'There is 1 ZEC.');
  t.is(textOf('de', 'NEWER'), 'There is 1 ZEC.');
  for (const lang of TRANSLATED) {
    t.notRegex(textOf(lang, 'WRONG_PASSWORD'), /There is/);
    t.regex(textOf(lang, 'INSUFFICIENT_FUNDS'), /^.+\. \(There is 1 ZEC\.\)$/);
  }
});

test('the reader gets the first of his languages that there is, and else English', (t) => {
  const chosen = (...tags: string[]) => {
    setLanguage(tags);
    const now = language();
    setLanguage([]);
    return now;
  };
  t.is(chosen('fr-CA', 'de-AT', 'en'), 'de');
  t.is(chosen('es-419'), 'es');
  t.is(chosen('fr'), 'en');
  t.is(chosen(), 'en');
});
