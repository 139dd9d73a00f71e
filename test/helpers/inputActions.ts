// Input as WebDriver and WebDriver BiDi both write it: actions of a keyboard and of a mouse.

import { KEYS, type Key } from './page.ts';

const keys = (values: readonly string[]): readonly object[] => [
  {
    type: 'key',
    id: 'keyboard',
    actions: values.flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]),
  },
];

export const typed = (text: string): readonly object[] => keys([...text]);

export const pressed = (key: Key): readonly object[] => keys([KEYS[key].codePoint]);

const mouse = (x: number, y: number, then: readonly object[]): readonly object[] => [
  {
    type: 'pointer',
    id: 'mouse',
    actions: [{ type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y) }, ...then],
  },
];

export const pointedAt = (x: number, y: number): readonly object[] => mouse(x, y, []);

export const clickedAt = (x: number, y: number): readonly object[] =>
  mouse(x, y, [
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ]);
