// Runs a suite against foreign programs, which it installs first; `--installed` as first argument installs nothing.
import { buildAndRunAva } from './runAva.mjs';

/** Where `goesOn`, what cannot be had is said, and its tests are skipped. */
export async function runForeignSuite(config, installers, { goesOn = false } = {}) {
  const [first, ...rest] = process.argv.slice(2);
  const takesWhatIsThere = first === '--installed';
  for (const install of takesWhatIsThere ? [] : installers) {
    try {
      install();
    } catch (error) {
      console.error(error.message);
      if (!goesOn) process.exit(1);
    }
  }
  const given = takesWhatIsThere || first === undefined ? rest : [first, ...rest];
  await buildAndRunAva(['--config', config, ...given]);
}
