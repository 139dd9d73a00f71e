// Installs the compact-block servers that stand in front of a node: lightwalletd (a Go module) and zainod (a crate).
import { cpSync } from 'node:fs';
import path from 'node:path';
import {
  CARGO_PROFILE,
  capture,
  installTool,
  isInstalled,
  must,
  needs,
  rustFolder,
  testCache,
} from './cachedTool.mjs';
import { readyRocksDb } from './realNode.mjs';

const LIGHTWALLETD = 'v0.5.0';
const ZAINOD = '0.10.2';

const lightwalletdFolder = () => path.join(testCache(), `lightwalletd-${LIGHTWALLETD}`);
const zainodFolder = () => rustFolder(`zainod-${ZAINOD}`);

function found(folder, program, more = []) {
  return isInstalled(folder, [program, ...more]) ? path.join(folder, program) : undefined;
}

/** Their programs, or undefined where they are not installed. */
export const lightwalletd = () => found(lightwalletdFolder(), 'lightwalletd');
export const zainod = () => found(zainodFolder(), 'zainod', ['librocksdb.so']);

export function installLightwalletd() {
  installTool(lightwalletdFolder(), ['lightwalletd'], (work, ready) => {
    needs(['go version'], 'lightwalletd');
    // `go install` would read the list of all versions, which a proxy need not have.
    const module = `github.com/zcash/lightwalletd@${LIGHTWALLETD}`;
    const told = capture('go', ['mod', 'download', '-json', module]);
    if (told === undefined) throw new Error(`The Go module ${module} could not be had.`);
    const source = path.join(work, 'source');
    cpSync(JSON.parse(told).Dir, source, { recursive: true });
    must('chmod', ['-R', 'u+w', source]);
    must('go', ['build', '-trimpath', '-buildvcs=false', '-o', path.join(ready, 'lightwalletd'), '.'], {
      cwd: source,
    });
  });
}

export function installZainod() {
  installTool(zainodFolder(), ['zainod', 'librocksdb.so'], (work, ready) => {
    needs(['cargo', 'mvn', 'protoc', 'python3'], 'zainod');
    const { library, environment } = readyRocksDb(work);
    const root = path.join(work, 'root');
    const env = {
      ...process.env,
      ...environment,
      ...CARGO_PROFILE,
      CARGO_TARGET_DIR: path.join(work, 'target'),
    };
    must('cargo', ['install', 'zainod', '--version', ZAINOD, '--locked', '--root', root], { env });
    cpSync(path.join(root, 'bin/zainod'), path.join(ready, 'zainod'));
    cpSync(library, path.join(ready, 'librocksdb.so'));
  });
}
