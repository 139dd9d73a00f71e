// What the prover and the threads of its module send each other.

export interface ThreadStart {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  /** The first thread takes the calls; it has the module start the others, which share the work of a call. */
  readonly role: { readonly kind: 'calls'; readonly threads: number } | ({ readonly kind: 'work' } & Spawned);
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
  /** Status 0 and a PCZT (empty after `verify`), or a failure and its text. */
  | { readonly kind: 'answer'; readonly status: number; readonly answer: Uint8Array<ArrayBuffer> };
