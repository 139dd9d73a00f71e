// Whether this machine uses the wide kernel, which needs an experimental flag of the engine: only where a test in a separate
// process found that it computes correctly and is faster. The result is kept until the engine, the processor or the kernel
// is another one, or until a canary is missed during a scan.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { kernelFile } from '../storage/files/kernelFile.ts';

/** The test takes a second. */
const PATIENCE_MS = 60_000;

export interface WideTest {
  /** From `wideIdentity`. */
  readonly tested: string;
  /** The folder of config.json; undefined: nothing is kept. */
  readonly configDir: string | undefined;
  /** The user wants it: it is tested again where it failed before. */
  readonly isNamed: boolean;
  /** Others than these only in tests. */
  readonly entry?: URL;
  readonly patienceMs?: number;
}

/** Why the wide kernel is not to be used; undefined where it is. */
export async function wideFault(test: WideTest): Promise<string | undefined> {
  const { tested, configDir, isNamed } = test;
  const file = configDir === undefined ? undefined : kernelFile(configDir);
  const known = file?.read();
  const isKnown = known?.tested === tested && (known.fault === null || !isNamed);
  if (isKnown) return known.fault ?? undefined;
  const { fault, isFinal } = await testApart(test);
  if (isFinal) await file?.write({ tested, fault });
  return fault ?? undefined;
}

/**
 * Windows starts no process without its variable, and the executable finds by the others what it has unpacked; Node's own would change
 * what is tested.
 */
const PASSED = ['SystemRoot', 'HOME', 'XDG_CACHE_HOME'];

const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    PASSED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );

interface Outcome {
  readonly fault: string | null;
  /** Another test would end in the same way. */
  readonly isFinal: boolean;
}

async function testApart({ entry, patienceMs = PATIENCE_MS }: WideTest): Promise<Outcome> {
  try {
    const file = fileURLToPath(entry ?? new URL('./wideTestProcess.js', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [file], {
      env: environment(),
      timeout: patienceMs,
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    return { fault: JSON.parse(stdout) as string | null, isFinal: true };
  } catch (error) {
    const { code, signal, killed } = error as Partial<Record<'code' | 'signal' | 'killed', unknown>>;
    if (killed === true) return { fault: 'the test of the wide kernel took too long', isFinal: false };
    const hasCrashed = typeof code === 'number' || typeof signal === 'string';
    return hasCrashed
      ? { fault: 'the wide kernel ended the process that tested it', isFinal: true }
      : { fault: 'the wide kernel could not be tested', isFinal: false };
  }
}
