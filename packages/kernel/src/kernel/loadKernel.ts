// Compiles the kernel once per process. The result is plain data that can be posted to worker threads, so that no
// worker compiles again; `createDecryptor` instantiates it there.
//
// The `fma` build needs relaxed SIMD whose multiply-add is really fused, which only a test on the running CPU can show;
// every other machine runs `portable`. The FMA build exists in two styles for two generations of V8, see
// generator/fmaField.ts.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { SINSEMILLA_FILE } from './generator/sinsemillaPoints.ts';
import {
  type KernelBinaries,
  type KernelModule,
  KernelUnavailableError,
  type KernelVariant,
} from './load/kernelModule.ts';
import { binariesOf, binaryNames, checkedSinsemilla, testedKernel } from './testedKernel.ts';
import type { VestaModule } from './vesta/vestaKernel.ts';
import { NODE_MAJOR, setWideFlags, wideEngine, wideHindrance } from './wideFlags.ts';

export interface KernelOptions {
  /**
   * `auto` (default) takes `fma` where it works; `fma` and `wide` accept only that build; `portable` never tries another.
   * `watched wide` takes `wide` where it works, with the others behind it, and otherwise what `auto` takes.
   */
  readonly choice?: 'auto' | 'watched wide' | KernelVariant;
}

/** Before this release V8 has relaxed SIMD behind a flag. */
const RELAXED_SIMD_NODE = 22;
/** From this release on, V8 schedules loads next to their use. */
const RELOADING_NODE = 24;

function buildName(variant: KernelVariant): string {
  if (variant === 'fma') return NODE_MAJOR < RELOADING_NODE ? 'fma-registers' : 'fma-reload';
  return variant === 'wide' ? 'fma-wide' : variant;
}

const readBinary = (name: string) => readFile(new URL(`wasm/${name}.wasm`, import.meta.url));

/** What hindered one, such as too few open files, may be over at the next call. */
const compiled = new Map<string, Promise<WebAssembly.Module>>();

function compile(name: string): Promise<WebAssembly.Module> {
  let module = compiled.get(name);
  if (module === undefined) {
    module = readBinary(name).then((bytes) => WebAssembly.compile(new Uint8Array(bytes)));
    compiled.set(name, module);
    module.catch(() => compiled.delete(name));
  }
  return module;
}

/** Names the wide build, this engine and this processor; undefined where the build is not available. */
export async function wideIdentity(): Promise<string | undefined> {
  if (wideHindrance() !== undefined) return undefined;
  const hash = createHash('sha256');
  for (const name of Object.values(binaryNames(buildName('wide')))) hash.update(await readBinary(name));
  return hash.update(JSON.stringify([...wideEngine(), cpus()[0]?.model])).digest('hex');
}

/** Compiles the kernel for commitments in the build of the one for scans, which was tested. */
export async function loadVesta({ variant, modules }: KernelModule): Promise<VestaModule> {
  const [vesta, vestaScalar] = await Promise.all([
    compile(`vesta-${buildName(variant)}`),
    compile('vesta-scalar'),
  ]);
  return {
    variant,
    modules: { pallas: modules.pallas, pallasScalar: modules.pallasScalar, vesta, vestaScalar },
  };
}

/** Compiles the check of block headers' work, once a process; plain data that may be posted to workers of it. */
export const loadEquihash = (): Promise<WebAssembly.Module> => compile('equihash');

let points: Promise<Uint8Array> | undefined;

function readSinsemilla(): Promise<Uint8Array> {
  if (points === undefined) {
    points = readFile(new URL(`wasm/${SINSEMILLA_FILE}`, import.meta.url)).then(checkedSinsemilla);
    points.catch(() => {
      points = undefined;
    });
  }
  return points;
}

async function compileVariant(variant: KernelVariant): Promise<KernelBinaries> {
  if (variant === 'fma' && NODE_MAJOR < RELAXED_SIMD_NODE) {
    // It must be set before compiling and applies to all threads.
    setFlagsFromString('--experimental-wasm-relaxed-simd');
  }
  if (variant === 'wide') {
    const hindrance = wideHindrance();
    if (hindrance !== undefined) throw new KernelUnavailableError(hindrance);
    setWideFlags();
  }
  return binariesOf(buildName(variant), compile);
}

export type CompileVariant = typeof compileVariant;

/**
 * Compiles the kernel for this machine and tests it. Only tests replace `compileBuild`.
 *
 * @throws KernelUnavailableError when the requested build is not available, or no build works.
 */
export async function loadKernel(
  options: KernelOptions = {},
  compileBuild: CompileVariant = compileVariant,
): Promise<KernelModule> {
  const choice = options.choice ?? 'auto';
  const load = (variant: KernelVariant, reason: string): Promise<KernelModule> =>
    testedKernel(variant, reason, async () => ({
      modules: await compileBuild(variant),
      sinsemilla: await readSinsemilla(),
    }));
  const loadAuto = async (): Promise<KernelModule> => {
    const fma = await orReason(load('fma', 'fused multiply-add works'));
    return typeof fma === 'string' ? load('portable', fma) : fma;
  };
  if (choice === 'auto') return loadAuto();
  if (choice !== 'watched wide') return load(choice, 'asked for');
  const wide = await orReason(load('wide', 'wide vectors work'));
  const narrow = await loadAuto();
  if (typeof wide === 'string') return { ...narrow, reason: wide };
  const others = narrow.variant === 'portable' ? [narrow] : [narrow, await load('portable', 'trusted')];
  return { ...wide, watch: { others, refused: new Int32Array(new SharedArrayBuffer(4)) } };
}

/** Where a build is not available: why. */
async function orReason(loading: Promise<KernelModule>): Promise<KernelModule | string> {
  try {
    return await loading;
  } catch (error) {
    if (!(error instanceof KernelUnavailableError)) throw error;
    return error.message;
  }
}
