// Characters that are invisible, or that reverse how others are read: they make one text look like another. A caller's text
// that contains them is refused; texts of senders and servers, which may contain them, are shown with escapes.

/** Scripts in which a joiner changes how letters are drawn: scripts that join letters, and scripts that stack them. */
const JOINING = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Mandaic', 'Adlam', 'Hanifi_Rohingya', 'Devanagari', 'Bengali'],
  ...[
    'Gurmukhi',
    'Gujarati',
    'Oriya',
    'Tamil',
    'Telugu',
    'Kannada',
    'Malayalam',
    'Sinhala',
    'Khmer',
    'Myanmar',
  ],
];

/** The same characters where they are part of a letter or an emoji, which would be a different one without them. */
const PROPER = [
  // Number signs of Arabic and Syriac: they are visible, though Unicode lists them among the invisible characters.
  String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2]`,
  `(?<=[${JOINING.map((script) => String.raw`\p{scx=${script}}`).join('')}])[\\u200c\\u200d]`,
  // Families and professions, text or emoji form, flags of England, Scotland and Wales.
  String.raw`(?<=\p{ExtPict}[\ufe0f\p{EMod}]?)\u200d(?=\p{ExtPict})`,
  String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]`,
  String.raw`(?<=\u{1f3f4}[\u{e0061}-\u{e007a}]{0,5})[\u{e0061}-\u{e007a}\u{e007f}]`,
  // Variants of a Chinese character (in Japanese names), or of a Mongolian letter.
  String.raw`(?<=\p{Script=Han})\p{VS}`,
  String.raw`(?<=\p{Script=Mongolian})[\u180b-\u180d\u180f]`,
  // The blank between words in Braille.
  String.raw`(?<=[\u2801-\u28ff])\u2800(?=[\u2801-\u28ff])`,
];

/** Visible by their category, and drawn as nothing: blanks of scripts and of music, the place of a pasted picture. */
const BLANK = String.raw`\u2800\ufffc\u{16fe4}\u{13441}\u{13442}\u{1d159}`;

const HIDDEN = new RegExp(
  String.raw`(?!${PROPER.join('|')})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}${BLANK}]`,
  'gu',
);

/** Line breaks and tabs count as hidden in a one-line text, and are kept in a text of many lines. */
type Breaks = 'hidden' | 'kept';

const isKept = (character: string, breaks: Breaks): boolean =>
  breaks === 'kept' && '\n\r\t'.includes(character);

export const hasHidden = (text: string, breaks: Breaks = 'hidden'): boolean =>
  (text.match(HIDDEN) ?? []).some((character) => !isKept(character, breaks));

/** Replaces each hidden character by `\u{...}`, and a line break by `\n`. */
export const withoutHidden = (text: string, breaks: Breaks = 'hidden'): string =>
  text.replaceAll(HIDDEN, (character) => {
    if (isKept(character, breaks)) return character;
    return character === '\n' ? '\\n' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
