// What a prover and its threads send each other.

import type { SaplingParameters } from './saplingParameters.ts';

export type Role =
  | { readonly kind: 'calls'; readonly threads: number }
  | ({ readonly kind: 'work' } & Spawned);

/** Of a thread of the module. */
export interface ModuleStart {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  readonly role: Role;
  /** Those that the module gets; absent where there are none, and for threads that take no calls. */
  readonly sapling?: SaplingParameters | undefined;
}

export interface Spawned {
  readonly id: number;
  /** The module's address of what the thread runs. */
  readonly argument: number;
}

export interface Call {
  readonly name: 'prove' | 'verify';
  readonly pczt: Uint8Array<ArrayBuffer>;
}

export type FromThread =
  | ({ readonly kind: 'spawn' } & Spawned)
  | {
      readonly kind: 'answer';
      /** 0 and a PCZT (empty after `verify`), or a failure and its text. */
      readonly status: number;
      readonly answer: Uint8Array<ArrayBuffer>;
      readonly memoryBytes: number;
    };
