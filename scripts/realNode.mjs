// Installs the real node (zebrad, from its crate) and the test sender. The first run takes tens of minutes. `--check` only
// reports whether they are there.
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  CARGO_FLAGS,
  CARGO_PROFILE,
  installTool,
  isInstalled,
  must,
  needs,
  rustFolder,
} from './cachedTool.mjs';

const ZEBRAD = '7.0.0';
const FILES = ['zebrad', 'librocksdb.so', 'regsend'];
/** The Java binding's Linux library contains RocksDB's whole C interface, which avoids a C++ build. */
const ROCKSDB_JNI = 'org.rocksdb:rocksdbjni:10.4.2';

/** The folder of `zebrad`, `librocksdb.so` and `regsend`, whether they are installed or not. */
export const realNodeFolder = () => rustFolder(`zebrad-${ZEBRAD}`);

export const isRealNodeInstalled = () => isInstalled(realNodeFolder(), FILES);

/** RocksDB as a shared library below `work`; returns what cargo must be told of it. */
export function readyRocksDb(work) {
  const folder = path.join(work, 'rdb');
  mkdirSync(path.join(folder, 'lib'), { recursive: true });
  must('mvn', [
    '-q',
    '-B',
    'dependency:copy',
    `-Dartifact=${ROCKSDB_JNI}:jar:linux64`,
    `-DoutputDirectory=${folder}`,
  ]);
  must('python3', ['-m', 'zipfile', '-e', `${folder}/rocksdbjni-10.4.2-linux64.jar`, `${folder}/x`]);
  const library = path.join(folder, 'lib/librocksdb.so');
  cpSync(path.join(folder, 'x/librocksdbjni-linux64.so'), library);
  const environment = { ROCKSDB_LIB_DIR: path.dirname(library), LD_LIBRARY_PATH: path.dirname(library) };
  return { library, environment };
}

export function installRealNode() {
  installTool(realNodeFolder(), FILES, (work, ready) => {
    needs(['cargo', 'mvn', 'protoc', 'python3'], 'The real node');
    const { library, environment } = readyRocksDb(work);
    const target = path.join(work, 'target');
    const env = { ...process.env, ...environment, ...CARGO_PROFILE, CARGO_TARGET_DIR: target };
    const root = path.join(work, 'root');
    must(
      'cargo',
      [
        'install',
        'zebrad',
        '--version',
        ZEBRAD,
        '--locked',
        '--no-default-features',
        '--root',
        root,
        ...CARGO_FLAGS,
      ],
      { env },
    );
    const sender = path.join(work, 'regsend');
    cpSync(path.resolve(process.env.WALLET_COMPANION_SHARED ?? '../shared', 'tools/regsend'), sender, {
      recursive: true,
    });
    must('cargo', ['build', '--release', '--locked', ...CARGO_FLAGS], { env, cwd: sender });
    cpSync(path.join(root, 'bin/zebrad'), path.join(ready, 'zebrad'));
    cpSync(library, path.join(ready, 'librocksdb.so'));
    cpSync(path.join(target, 'release/regsend'), path.join(ready, 'regsend'));
  });
}

if (process.argv.includes('--check')) process.exit(isRealNodeInstalled() ? 0 : 1);
