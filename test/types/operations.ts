// What the operation table promises its callers and handlers. Compiled with the rest by `npm run check` and the build.

import type {
  Arguments,
  Command,
  HandledInput,
  HandlerContext,
  Handlers,
  Input,
  OperationName,
  OperationOf,
  OperationsOf,
  Output,
} from '../../src/protocol/operations.ts';
import type { Equal, Expect, IsAny } from './assertions.ts';

type NoneAny<T extends Readonly<Record<string, unknown>>> = {
  [K in keyof T]: IsAny<T[K]> extends true ? K : never;
}[keyof T];

// ---------------------------------------------------------------------------------------------------------------------
// Names

export type Names = [
  // A table widened to `Record<string, Operation>` would take any name.
  Expect<Equal<string extends OperationName ? true : false, false>>,
  Expect<Equal<string extends Command ? true : false, false>>,
  Expect<Equal<OperationOf<'balance'>, 'balance.get'>>,
  // Each operation has one actor.
  Expect<Equal<OperationsOf<'wallet'> & OperationsOf<'chain'>, never>>,
  Expect<Equal<OperationsOf<'service'> & OperationsOf<'wallet' | 'chain'>, never>>,
  Expect<Equal<OperationsOf<'wallet'> | OperationsOf<'chain'> | OperationsOf<'service'>, OperationName>>,
  Expect<Equal<Extract<'lwd.info' | 'balance.get', OperationsOf<'chain'>>, 'lwd.info'>>,
];

// ---------------------------------------------------------------------------------------------------------------------
// Input and output

export type Shapes = [
  // In the whole table, not in a sample of it.
  Expect<Equal<NoneAny<{ [N in OperationName]: Input<N> }>, never>>,
  Expect<Equal<NoneAny<{ [N in OperationName]: HandledInput<N> }>, never>>,
  Expect<Equal<NoneAny<{ [N in OperationName]: Output<N> }>, never>>,
  Expect<Equal<Input<'balance.get'>, { readonly account?: number | undefined }>>,
  Expect<Equal<HandledInput<'config.theme'>, { readonly theme: 'system' | 'light' | 'dark' }>>,
  // Every POST takes a password; one that is only checked does not reach the handler.
  Expect<Equal<Input<'config.theme'>['password'], string | undefined>>,
  Expect<Equal<'password' extends keyof HandledInput<'config.theme'> ? true : false, false>>,
  // Where it is needed it is not optional.
  Expect<Equal<Input<'wallet.unlock'>['password'], string>>,
  Expect<Equal<HandledInput<'wallet.unlock'>['password'], Uint8Array>>,
  Expect<Equal<Output<'wallet.exists'>['exists'], boolean>>,
  Expect<Equal<Output<'balance.get'>['as_of_height'], number | null>>,
  Expect<Equal<Output<'balance.get'>['pools']['ironwood']['note_count'], number>>,
];

declare const balance: Output<'balance.get'>;
declare const unlock: Input<'wallet.unlock'>;

export function answersAreReadOnly(): void {
  // @ts-expect-error An answer is not the caller's to change.
  balance.note_count = 1;
  // @ts-expect-error Neither is what lies in it,
  balance.pools.sapling.note_count = 1;
  // @ts-expect-error nor its lists.
  balance.missing_ranges.push({ start: 1, end: 2 });
  // @ts-expect-error An input is not the handler's to change.
  unlock.password = '';
  // @ts-expect-error What the schema does not have is not there.
  balance.unheard_of_zatoshi;
}

// ---------------------------------------------------------------------------------------------------------------------
// Calls

export type Calls = [
  // Nothing has to be said where every field is optional.
  Expect<Equal<Arguments<'balance.get'>, [input?: Input<'balance.get'>]>>,
  Expect<Equal<Arguments<'wallet.lock'>, [input?: Input<'wallet.lock'>]>>,
  Expect<Equal<Arguments<'wallet.unlock'>, [input: Input<'wallet.unlock'>]>>,
];

// ---------------------------------------------------------------------------------------------------------------------
// Handlers

declare const handlers: Handlers<'chain'>;
declare const answer: () => Promise<never>;

export type HandlerShapes = [
  Expect<Equal<keyof Handlers<'wallet'>, OperationsOf<'wallet'>>>,
  Expect<Equal<keyof Handlers<'chain'>, OperationsOf<'chain'>>>,
  Expect<
    Equal<
      Handlers<'wallet'>['config.theme'],
      (
        input: HandledInput<'config.theme'>,
        context: HandlerContext,
      ) => Output<'config.theme'> | Promise<Output<'config.theme'>>
    >
  >,
];

export function handlersAreComplete(): readonly Handlers<'chain'>[] {
  const { 'lwd.info': _left, ...rest } = handlers;
  return [
    handlers,
    // @ts-expect-error One that is missing does not compile.
    rest,
    // @ts-expect-error The other actor's operations are not this one's.
    { ...handlers, 'balance.get': answer },
    // @ts-expect-error The answer is the operation's own.
    { ...handlers, 'lwd.info': () => 'up' },
  ];
}

export function handlersSeeNoCheckedPassword(): Pick<Handlers<'wallet'>, 'config.theme'> {
  return {
    // @ts-expect-error It is checked before the handler runs, and kept from it.
    'config.theme': ({ password }) => password,
  };
}
