// Runs ava and reads its own summary, so that the closing line `N passed, N failed, N skipped` is the runner's count.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';

const MEMORY = '/dev/shm';
const ROOM = 4 * 2 ** 30;

/**
 * Tests wait for the disk at each commit of a database: where the system keeps files in memory, with room and leave to run
 * what lies there, they have their temporary folders in it. TMPDIR says otherwise.
 */
function folderInMemory() {
  if (process.platform !== 'linux' || process.env.TMPDIR !== undefined) return undefined;
  try {
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY);
    const { bavail, bsize } = statfsSync(MEMORY);
    if (mounted === undefined || /\bnoexec\b/.test(mounted) || bavail * bsize < ROOM) return undefined;
    const folder = mkdtempSync(`${MEMORY}/wallet-companion-tests-`);
    // Some tests act as another user in a folder below it.
    chmodSync(folder, 0o711);
    return folder;
  } catch {
    return undefined;
  }
}

/** Resolves with `{status, passed, failed, skipped}`; the output is passed through. */
export function runAva(args) {
  const folder = folderInMemory();
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      ['--import', './scripts/prepareWide.mjs', 'node_modules/ava/entrypoints/cli.mjs', ...args],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          ...process.env,
          FORCE_COLOR: '0',
          WALLET_COMPANION_BUNDLED: '1',
          ...(folder && { TMPDIR: folder }),
        },
      },
    );
    // A signal reaches ava first: the folder is removed once ava has ended.
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
    let tail = '';
    let ticks = 0;
    child.stdout.on('data', (chunk) => {
      process.stdout.write(chunk);
      ticks += (String(chunk).match(/✔/g) ?? []).length;
      tail = (tail + chunk).slice(-20_000);
    });
    child.on('close', (status) => {
      if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      const last = (pattern) => Number([...tail.matchAll(pattern)].at(-1)?.[1] ?? 0);
      // The summary omits the passed tests when any failed; each passed test has a tick.
      const passed = last(/^\s*(\d+) tests? passed$/gm) || ticks;
      const broken =
        last(/^\s*(\d+) tests? failed$/gm) +
        last(/^\s*(\d+) (?:hook|uncaught exception|unhandled rejection|known failure)s?(?: failed)?$/gm);
      const skipped = last(/^\s*(\d+) tests? skipped$/gm) + last(/^\s*(\d+) tests? todo$/gm);
      // A run that broke without a failed test (a file that did not load, no test at all) counts as one failure.
      resolve({ status: status ?? 1, passed, failed: status === 0 ? broken : Math.max(1, broken), skipped });
    });
  });
}

export const closingLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;

/** Runs a script that must succeed before tests make sense; ends the process where it fails. */
export function runStep(...script) {
  console.log(`> ${path.basename(script[0], '.mjs')}`);
  const { status } = spawnSync(process.execPath, script, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status === 0) return;
  console.log('0 passed, 1 failed');
  process.exit(status ?? 1);
}

/** Builds the program and bundles the tests. */
export function buildTests() {
  runStep('scripts/build.mjs');
  runStep('scripts/bundleTests.mjs');
}

/** Builds, runs ava, prints the count and ends the process. `files` is called once the tests are bundled. */
export async function buildAndRunAva(args, files = () => []) {
  buildTests();
  const result = await runAva([...args, ...files()]);
  console.log(closingLine(result));
  process.exit(result.status);
}
