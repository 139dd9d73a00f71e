// The compiled kernel, as `loadKernel` returns it and every worker receives it.

export type KernelVariant = 'wide' | 'fma' | 'portable';

/** Compiled modules and which build they are: plain data that may be posted to workers of the same process. */
export interface KernelModule {
  readonly variant: KernelVariant;
  /** Human-readable reason for the choice of this build. */
  readonly reason: string;
  readonly modules: KernelBinaries;
  /** The points from `generator/sinsemillaPoints.ts`. */
  readonly sinsemilla: Uint8Array;
  /** For a build that is used only under watch. */
  readonly watch?: KernelWatch;
}

/** What takes over where canaries show that a build computes wrongly. */
export interface KernelWatch {
  /** In the order of their turn; the last one is trusted, and knows what the others must find. */
  readonly others: readonly KernelModule[];
  /**
   * Shared by all threads, which are notified: bit 0 is set when the build is no longer used, bit i
   * for `others[i - 1]`.
   */
  readonly refused: Int32Array;
}

export interface KernelBinaries {
  readonly pallas: WebAssembly.Module;
  readonly pallasScalar: WebAssembly.Module;
  readonly jubjub: WebAssembly.Module;
  readonly jubjubScalar: WebAssembly.Module;
  readonly symmetric: WebAssembly.Module;
}

/** The requested build is not available on this machine, or computes wrongly there. */
export class KernelUnavailableError extends Error {
  override readonly name = 'KernelUnavailableError';
}
