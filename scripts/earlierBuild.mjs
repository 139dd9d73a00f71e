// Installs the companion as it was at an earlier commit, whose data the present one meets in `test/world/upgrade.world.ts`.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { capture, installTool, isInstalled, must, testCache } from './cachedTool.mjs';

/** Before the formats were numbered anew. */
export const EARLIER_COMMIT = 'b7f3683';
const PROGRAM = 'bin/wallet-companion';

const folder = () => path.join(testCache(), `wallet-companion-${EARLIER_COMMIT}`);

/** The program, or undefined where it is not installed. */
export const earlierBuild = () =>
  isInstalled(folder(), [PROGRAM]) ? path.join(folder(), PROGRAM) : undefined;

export function installEarlierBuild() {
  installTool(folder(), [PROGRAM], (work, ready) => {
    if (capture('git', ['cat-file', '-e', EARLIER_COMMIT]) === undefined)
      throw new Error(
        `The earlier companion is built from commit ${EARLIER_COMMIT}, which this clone does not have.`,
      );
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work);
    const archive = path.join(work, 'source.tar');
    must('git', ['archive', '--output', archive, EARLIER_COMMIT]);
    must('tar', ['-xf', archive, '-C', work]);
    const at = { cwd: work };
    must('npm', ['pack'], at);
    const [tarball] = readdirSync(work).filter((name) => name.endsWith('.tgz'));
    must('npm', ['install', '--global', '--prefix', ready, '--no-audit', '--no-fund', `./${tarball}`], at);
    rmSync(work, { recursive: true });
  });
}
