// What the wide build needs of the engine. Flags apply to the whole process, all its threads and all its WebAssembly.

import { setFlagsFromString } from 'node:v8';

export const NODE_MAJOR = Number(process.versions.node.split('.')[0]);
/** With an experimental flag, their V8 joins the kernel's vectors into wider ones; that of Node 22 gains nothing. */
const WIDE_NODES = [24, 26];
/** From this release on, V8 ends the process where it inlines without having run baseline code. */
const INLINING_NODE = 26;
/** At the start of a process the first would turn the second off too. */
const NO_INLINING_FLAGS = ['--no-wasm-inlining', '--no-wasm-inlining-call-indirect'];
/** Names the process in which nothing is inlined, for all its threads. Its children have flags of their own. */
const NOTHING_INLINED = 'WALLET_COMPANION_NOTHING_INLINED';

/**
 * With baseline code, the self test would run that, and the optimised code that V8 makes of busy functions later would be
 * used untested.
 */
const WIDE_FLAGS = ['--experimental-wasm-revectorize', '--no-liftoff'];

/**
 * To be called before any WebAssembly of the process, or the wide build is refused where it needs this. Costs other WebAssembly
 * nothing that was measured. Rejected: to set it with the other flags, since V8 crashes when baseline code that was made with
 * inlining runs in an instance that was made without.
 */
export function prepareWideKernel(): void {
  if (NODE_MAJOR < INLINING_NODE) return;
  for (const flag of NO_INLINING_FLAGS) setFlagsFromString(flag);
  process.env[NOTHING_INLINED] = String(process.pid);
}

/** Why the wide build cannot be used in this process. */
export function wideHindrance(): string | undefined {
  if (!WIDE_NODES.includes(NODE_MAJOR) || process.arch !== 'x64')
    return `wide vectors need Node ${WIDE_NODES.join(' or ')} on x64`;
  const isPrepared = NODE_MAJOR < INLINING_NODE || process.env[NOTHING_INLINED] === String(process.pid);
  return isPrepared ? undefined : 'the process was not prepared for wide vectors at its start';
}

/** Before the build is compiled. */
export function setWideFlags(): void {
  for (const flag of WIDE_FLAGS) setFlagsFromString(flag);
}

/** What compiles the build. */
export const wideEngine = (): readonly unknown[] => [process.versions.node, process.versions.v8, WIDE_FLAGS];
