// Builds the kernel's WebAssembly modules: generates the field arithmetic, compiles it with the AssemblyScript
// compiler, and writes the binaries beside the compiled loader. Run by `npm run build`; does nothing when nothing has
// changed.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { fmaFieldSource, type KernelStyle } from './fmaField.ts';
import { blake2bCompressionSource, keyDerivationSource } from './keyDerivation.ts';
import { limbFieldSource, modulusSource } from './limbField.ts';
import { JUBJUB_FIELD, PALLAS_FIELD, type PrimeField, VESTA_FIELD } from './primeField.ts';
import { SINSEMILLA_DIGEST, SINSEMILLA_FILE, sinsemillaPoints } from './sinsemillaPoints.ts';

/** One binary: an entry file of `assembly/`, the generated files that it imports, and the window of its static data. */
interface Target {
  readonly name: string;
  readonly entry: string;
  readonly generated: Readonly<Record<string, string>>;
  readonly memoryBase: number;
  readonly flags: readonly string[];
}

/**
 * All modules keep their static data in one memory, each in a separate window, which is checked when the kernel is
 * loaded (`dataEnd`). The FMA modules are compiled without optimisation: the optimiser would reorder the interleaved
 * statements (mul 28 -> 45 ns); V8 does the register allocation either way. V8's experimental revectorizer, which joins
 * both vectors of a block into one of 256 bits, finds its pairs in lightly optimised code only (mul 15.4 -> 11.2 ns).
 */
function targets(): Target[] {
  const forField = (field: PrimeField, base: number): Target[] => {
    const limbs = { 'limbs.ts': limbFieldSource(field) };
    const fma = (name: string, style: KernelStyle, optimisation: string): Target => ({
      name: `${field.name}-fma-${name}`,
      entry: 'laneProgram.ts',
      generated: {
        'lanes.ts': "export * from './fmaLanes';",
        'multiplication.ts': fmaFieldSource(field, style),
        'modulus.ts': modulusSource(field),
      },
      memoryBase: base,
      flags: [optimisation, '--enable', 'simd,relaxed-simd'],
    });
    return [
      fma('reload', 'reload', '-O0'),
      fma('registers', 'registers', '-O0'),
      fma('wide', 'registers', '-O1'),
      {
        name: `${field.name}-portable`,
        entry: 'laneProgram.ts',
        generated: { ...limbs, 'lanes.ts': "export * from './portableLanes';" },
        memoryBase: base,
        flags: ['-O3'],
      },
      {
        name: `${field.name}-scalar`,
        entry: `${field.name}Scalar.ts`,
        generated: limbs,
        memoryBase: base + 0x8000,
        flags: ['-O3'],
      },
    ];
  };
  return [
    ...forField(PALLAS_FIELD, 0x1000),
    ...forField(JUBJUB_FIELD, 0x1_1000),
    {
      name: 'symmetric',
      entry: 'symmetric.ts',
      generated: {
        'keyDerivation.ts': keyDerivationSource(),
        'blake2bCompression.ts': blake2bCompressionSource(),
      },
      memoryBase: 0x2_1000,
      flags: ['-O3', '--enable', 'simd'],
    },
    ...forField(VESTA_FIELD, 0x2_4000),
    {
      name: 'equihash',
      entry: 'equihash.ts',
      generated: { 'blake2bCompression.ts': blake2bCompressionSource() },
      memoryBase: 0x1000,
      flags: ['-O3'],
    },
  ];
}

async function compile(target: Target, sources: ReadonlyMap<string, string>): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const result = await asc.main(
    [
      target.entry,
      '--outFile',
      'out.wasm',
      '--runtime',
      'stub',
      '--importMemory',
      '--noAssert',
      '--memoryBase',
      String(target.memoryBase),
      ...target.flags,
    ],
    {
      readFile: (name) => target.generated[name] ?? sources.get(name) ?? null,
      writeFile: (name, contents) => {
        if (name === 'out.wasm') binary = contents as Uint8Array;
      },
      listFiles: () => [],
    },
  );
  if (result.error !== null || binary === undefined) {
    throw new Error(`${target.name}: ${result.error?.message ?? 'no output'}\n${result.stderr.toString()}`);
  }
  return binary;
}

function digestOf(target: Target, sources: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256').update(JSON.stringify(target));
  for (const [name, text] of [...sources].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(name).update(text);
  return hash.digest('hex');
}

function readManifest(path: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}

/** Compiles the targets whose inputs in `assemblyFolder` have changed into `outputFolder`. */
export async function buildKernel(assemblyFolder: string, outputFolder: string): Promise<string[]> {
  const sources = new Map(
    readdirSync(assemblyFolder).map(
      (name) => [name, readFileSync(join(assemblyFolder, name), 'utf8')] as const,
    ),
  );
  mkdirSync(outputFolder, { recursive: true });
  const manifestPath = join(outputFolder, 'manifest.json');
  const manifest = readManifest(manifestPath);
  const built: string[] = [];
  for (const target of targets()) {
    const digest = digestOf(target, sources);
    if (manifest[target.name] === digest) continue;
    writeFileSync(join(outputFolder, `${target.name}.wasm`), await compile(target, sources));
    manifest[target.name] = digest;
    built.push(target.name);
    writeFileSync(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`);
  }
  if (manifest[SINSEMILLA_FILE] !== SINSEMILLA_DIGEST) {
    writeFileSync(join(outputFolder, SINSEMILLA_FILE), sinsemillaPoints());
    manifest[SINSEMILLA_FILE] = SINSEMILLA_DIGEST;
    built.push(SINSEMILLA_FILE);
    writeFileSync(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`);
  }
  return built;
}

const [, script, assemblyFolder] = process.argv;
if (script === fileURLToPath(import.meta.url) && assemblyFolder !== undefined) {
  const built = await buildKernel(assemblyFolder, fileURLToPath(new URL('../wasm', import.meta.url)));
  if (built.length > 0) console.log(`kernel: built ${built.join(', ')}`);
}
