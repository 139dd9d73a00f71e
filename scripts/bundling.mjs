// What the bundles of the program and of the tests have in common.

/** Packages of others with parts that are no JavaScript, with a separate file for a thread, or that are optional. */
export const LEFT_OUT = [
  '@node-rs/argon2',
  '@photostructure/sqlite',
  'piscina',
  'bullmq',
  'ioredis',
  'koffi',
];

/** CommonJS packages load Node's modules with `require`. */
export const REQUIRE =
  "import { createRequire as $requireFor } from 'node:module';\nconst require = $requireFor(import.meta.url);";

/** Files that Node receives by name: the entries of the threads and of a process, in `workers`. */
export const THREAD_FILE = /(?:Thread|Process)\.js$|^scanTask\.js$/;

/** Where a module names one of them, or another file beside it. */
export const NAMED_MODULE = /new URL\('([^']+\.js)', import\.meta\.url\)/g;
