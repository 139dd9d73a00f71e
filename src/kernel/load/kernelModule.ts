// The compiled kernel: what `loadKernel` gives and every worker gets.

export type KernelVariant = 'fma' | 'portable';

/** Compiled modules and which build they are: plain data, may be posted to workers of the same process. */
export interface KernelModule {
  readonly variant: KernelVariant;
  /** Why this build was taken, for people. */
  readonly reason: string;
  readonly modules: KernelBinaries;
}

export interface KernelBinaries {
  readonly pallas: WebAssembly.Module;
  readonly pallasScalar: WebAssembly.Module;
  readonly jubjub: WebAssembly.Module;
  readonly jubjubScalar: WebAssembly.Module;
  readonly symmetric: WebAssembly.Module;
}

/** The requested build cannot be had, or computes wrongly, on this machine. */
export class KernelUnavailableError extends Error {
  override readonly name = 'KernelUnavailableError';
}
