// The generated plain types are those of the operation table, member by member.

import type { Inputs, Outputs } from '@wallet-companion/client/contract';
import type { Input, OperationName, Output } from '../../src/protocol/operations.ts';
import type { Equal, Expect } from './assertions.ts';

/** One object type instead of an intersection, at every depth. */
type Flat<T> = T extends object ? { [K in keyof T]: Flat<T[K]> } : T;

type Others<Plain, Table> = {
  [N in keyof Plain & keyof Table]: Equal<Flat<Plain[N]>, Flat<Table[N]>> extends true ? never : N;
}[keyof Plain & keyof Table];

export type Same = [
  Expect<Equal<keyof Inputs, OperationName>>,
  Expect<Equal<keyof Outputs, OperationName>>,
  Expect<Equal<Others<Inputs, { [N in OperationName]: Input<N> }>, never>>,
  Expect<Equal<Others<Outputs, { [N in OperationName]: Output<N> }>, never>>,
];

/** The comparison itself: a missing optional member, another type and a lost `readonly` are differences. */
export type Reported = [
  Expect<Equal<Others<{ a: { b: 1 } }, { a: { b: 1; c?: 2 } }>, 'a'>>,
  Expect<Equal<Others<{ a: { b: 1 } }, { a: { b: 2 } }>, 'a'>>,
  Expect<Equal<Others<{ a: { b: { c: 1 } } }, { a: { b: { readonly c: 1 } } }>, 'a'>>,
  Expect<Equal<Others<{ a: { b: 1 } & { c: 2 } }, { a: { b: 1; c: 2 } }>, never>>,
];
