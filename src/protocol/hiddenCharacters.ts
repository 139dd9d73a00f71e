// Characters that are not seen, or that turn around how others are read: with them a text looks like another one. Texts
// that a caller gives are refused with them; those of senders and servers, which may have them, are shown with them spelt out.

/** Scripts in which a joiner says how letters are drawn: those that join them, and those that stack them. */
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

/** The same characters where they belong to a letter or an emoji, which would be another one without. */
const PROPER = [
  // Number signs of Arabic and Syriac, which are seen, though Unicode has them among the unseen.
  String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2]`,
  `(?<=[${JOINING.map((script) => String.raw`\p{scx=${script}}`).join('')}])[\\u200c\\u200d]`,
  // Families and professions, text or emoji form, flags of England, Scotland and Wales.
  String.raw`(?<=\p{ExtPict}[\ufe0f\p{EMod}]?)\u200d(?=\p{ExtPict})`,
  String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]`,
  String.raw`(?<=\u{1f3f4}[\u{e0061}-\u{e007a}]{0,5})[\u{e0061}-\u{e007a}\u{e007f}]`,
  // Forms of a Chinese character (in Japanese names), or of a Mongolian letter.
  String.raw`(?<=\p{Script=Han})\p{VS}`,
  String.raw`(?<=\p{Script=Mongolian})[\u180b-\u180d\u180f]`,
];

const HIDDEN = new RegExp(String.raw`(?!${PROPER.join('|')})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]`, 'gu');

/** Line breaks and tabs: hidden in a text of one line, and what they are in one of many. */
type Breaks = 'hidden' | 'kept';

const isKept = (character: string, breaks: Breaks): boolean =>
  breaks === 'kept' && '\n\r\t'.includes(character);

export const hasHidden = (text: string, breaks: Breaks = 'hidden'): boolean =>
  (text.match(HIDDEN) ?? []).some((character) => !isKept(character, breaks));

/** Each as `\u{...}`, a line break as `\n`. */
export const withoutHidden = (text: string, breaks: Breaks = 'hidden'): string =>
  text.replaceAll(HIDDEN, (character) => {
    if (isKept(character, breaks)) return character;
    return character === '\n' ? '\\n' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
