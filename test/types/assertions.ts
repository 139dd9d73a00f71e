// Assertions that the compiler makes: a file of this folder that compiles has passed. Nothing here runs.

/** True for the very same type only: `any`, a wider or a narrower one, an optional member are differences. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

export type Expect<T extends true> = T;

/** `any` would satisfy every other assertion about what is accepted. */
export type IsAny<T> = 0 extends 1 & T ? true : false;

/** The assertions themselves: each of these must be refused. */
export type Refused = [
  // @ts-expect-error
  Expect<Equal<{ readonly a: 1 }, { a: 1 }>>,
  // @ts-expect-error
  Expect<Equal<{ a?: 1 }, { a: 1 }>>,
  // @ts-expect-error
  Expect<Equal<unknown, 1>>,
  // @ts-expect-error
  // biome-ignore lint/suspicious/noExplicitAny: it is what has to be told apart
  Expect<Equal<any, 1>>,
];
