// Compiles the kernel once per process. The result is plain data that can be posted to worker threads, so that no
// worker compiles again; `createDecryptor` instantiates it there.
//
// Which build: `fma` needs relaxed SIMD whose multiply-add is really fused, which only a test on the running CPU can
// show; every other machine runs `portable`. The FMA build exists in two styles for two generations of V8, see
// generator/fmaField.ts.

import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import {
  type KernelBinaries,
  type KernelModule,
  KernelUnavailableError,
  type KernelVariant,
} from './load/kernelModule.ts';
import { findKernelFault } from './selfTest.ts';

export interface KernelOptions {
  /** `auto` (default) takes `fma` where it works; `fma` insists on it; `portable` never tries. */
  readonly choice?: 'auto' | KernelVariant;
}

const NODE_MAJOR = Number(process.versions.node.split('.')[0]);
/** From this release on, V8 schedules loads next to their use and has relaxed SIMD on by default. */
const MODERN_NODE = 22;

/** Started with this flag (Node 24), V8 joins the kernel's vectors into wider ones. It calls that experimental. */
const REVECTORIZE = '--experimental-wasm-revectorize';

function fmaBuild(): 'reload' | 'registers' | 'wide' {
  if (process.execArgv.includes(REVECTORIZE)) return 'wide';
  return NODE_MAJOR < MODERN_NODE ? 'registers' : 'reload';
}

const compiled = new Map<string, Promise<WebAssembly.Module>>();

function compile(name: string): Promise<WebAssembly.Module> {
  let module = compiled.get(name);
  if (module === undefined) {
    module = readFile(new URL(`wasm/${name}.wasm`, import.meta.url)).then((bytes) =>
      WebAssembly.compile(new Uint8Array(bytes)),
    );
    compiled.set(name, module);
  }
  return module;
}

async function compileVariant(variant: KernelVariant): Promise<KernelBinaries> {
  if (variant === 'fma' && NODE_MAJOR < MODERN_NODE) {
    // Node 20 has relaxed SIMD behind a flag, which must be set before compiling and applies to all threads.
    setFlagsFromString('--experimental-wasm-relaxed-simd');
  }
  const suffix = variant === 'portable' ? 'portable' : `fma-${fmaBuild()}`;
  const [pallas, pallasScalar, jubjub, jubjubScalar, symmetric] = await Promise.all([
    compile(`pallas-${suffix}`),
    compile('pallas-scalar'),
    compile(`jubjub-${suffix}`),
    compile('jubjub-scalar'),
    compile('symmetric'),
  ]);
  return { pallas, pallasScalar, jubjub, jubjubScalar, symmetric };
}

export type CompileVariant = typeof compileVariant;

/**
 * Compiles the kernel for this machine and tests it. `compileBuild` is replaced in tests only.
 *
 * @throws KernelUnavailableError when `choice: 'fma'` cannot be had, or no build works.
 */
export async function loadKernel(
  options: KernelOptions = {},
  compileBuild: CompileVariant = compileVariant,
): Promise<KernelModule> {
  const choice = options.choice ?? 'auto';
  const load = async (variant: KernelVariant, reason: string): Promise<KernelModule> => {
    let modules: KernelBinaries;
    try {
      modules = await compileBuild(variant);
    } catch (error) {
      throw new KernelUnavailableError(`the ${variant} kernel does not compile here`, { cause: error });
    }
    const module = { variant, reason, modules };
    const fault = findKernelFault(module);
    if (fault !== undefined)
      throw new KernelUnavailableError(`the ${variant} kernel fails its self test: ${fault}`);
    return module;
  };
  if (choice !== 'auto') return load(choice, 'asked for');
  try {
    return await load('fma', 'fused multiply-add works');
  } catch (error) {
    if (!(error instanceof KernelUnavailableError)) throw error;
    return load('portable', error.message);
  }
}
