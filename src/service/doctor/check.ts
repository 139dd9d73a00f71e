// One finding of the doctor. People paste its answer where strangers read it: no sentence has a path, a host, an
// address, an amount or a name that the user chose.

import type { Check } from '../../protocol/operations/system.ts';

export const ok = (check: string, what: string): Check => ({ check, state: 'ok', what, do: null });
export const warn = (check: string, what: string, todo: string): Check => ({
  check,
  state: 'warn',
  what,
  do: todo,
});
export const fail = (check: string, what: string, todo: string): Check => ({
  check,
  state: 'fail',
  what,
  do: todo,
});
