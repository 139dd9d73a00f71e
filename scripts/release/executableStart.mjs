// The first module of the single executable: unpacks the program into a private folder named by its digest, once, and runs it there.
// Threads, native modules and ES modules need files, which an executable has not.
import { lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { getAsset, getRawAsset } from 'node:sea';

const { digest, files } = JSON.parse(getAsset('files.json', 'utf8'));
const cache = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'wallet-companion');
const folder = path.join(cache, digest.slice(0, 32));

const stateOf = (file) => lstatSync(file, { throwIfNoEntry: false });

/** Somebody else's folder would run somebody else's program with the keys. What cleans caches may have taken some files. */
function isWhole() {
  const state = stateOf(folder);
  if (state === undefined) return false;
  if (!state.isDirectory() || state.uid !== process.getuid() || (state.mode & 0o077) !== 0)
    throw new Error('it is there, and not a folder that is yours alone');
  return files.every(([name, size]) => {
    const file = stateOf(path.join(folder, name));
    return file?.isFile() === true && file.size === size;
  });
}

/** Under another name first: a start beside this one, or after a crash in it, sees all of it or nothing. */
function unpack() {
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  const fresh = mkdtempSync(path.join(cache, '.new-'));
  try {
    for (const [name] of files) {
      const file = path.join(fresh, 'program', name);
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, new Uint8Array(getRawAsset(name)), { mode: 0o600 });
    }
    if (stateOf(folder) !== undefined && !isWhole()) renameSync(folder, path.join(fresh, 'broken'));
    if (stateOf(folder) === undefined) renameSync(path.join(fresh, 'program'), folder);
  } catch (error) {
    // Another start was faster.
    if (!['ENOTEMPTY', 'EEXIST'].includes(error.code) || !isWhole()) throw error;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** The program starts its own modules by `execPath`, as it does with Node, and a unit names the main one, of an earlier version too. */
function moduleToRun(given) {
  const main = path.join(folder, 'dist', 'program', 'main.js');
  const inCache = path.isAbsolute(given ?? '') && given.startsWith(cache + path.sep);
  if (!inCache || !given.endsWith('.js')) return { module: main, args: process.argv.slice(2) };
  const own = given.startsWith(folder + path.sep) ? path.normalize(given) : main;
  return { module: own, args: process.argv.slice(3) };
}

try {
  if (!isWhole()) unpack();
  const { module, args } = moduleToRun(process.argv[2]);
  process.argv = [process.execPath, module, ...args];
  createRequire(path.join(folder, 'loader.cjs'))('./loader.cjs').load(module);
} catch (error) {
  process.stderr.write(
    `The program cannot be unpacked into ${folder}: ${error.message}. XDG_CACHE_HOME names another place.\n`,
  );
  process.exitCode = 1;
}
