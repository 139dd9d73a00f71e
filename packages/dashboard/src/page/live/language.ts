// Loaded before anything else. In the desktop window of a system without a language (LANG=C), WebKit names the language
// "C", which no format takes, and uplot makes one while it loads: without this, the whole page would stay empty.

try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en' });
}
