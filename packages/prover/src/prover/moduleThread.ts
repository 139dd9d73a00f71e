// A thread of the module. Each has an instance, and all share one memory.

import { parentPort, workerData } from 'node:worker_threads';
import type { Call, FromThread, ModuleStart } from './messages.ts';
import type { SaplingParameters } from './saplingParameters.ts';
import { moduleSystem } from './wasi.ts';

interface Exports {
  readonly _initialize: () => void;
  readonly wasi_thread_start: (id: number, argument: number) => void;
  readonly start_threads: (count: number) => void;
  readonly allocate: (length: number) => number;
  readonly allocate_sapling: (which: number, length: number) => number;
  readonly prove: () => number;
  readonly verify: () => number;
  readonly answer_pointer: () => number;
  readonly answer_length: () => number;
}

const { module, memory, role, sapling } = workerData as ModuleStart;
const post = (message: FromThread, moved: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, moved);

let lastId = 0;
/** The new thread is started by the one that started this one, since this one waits within the module. */
function spawn(argument: number): number {
  lastId += 1;
  post({ kind: 'spawn', id: lastId, argument });
  return lastId;
}

const system = moduleSystem();
const instance = new WebAssembly.Instance(module, {
  env: { memory },
  wasi: { 'thread-spawn': spawn },
  wasi_snapshot_preview1: system.imports,
});
const exports = instance.exports as unknown as Exports;

const bytesAt = (pointer: number, length: number): Uint8Array =>
  new Uint8Array(memory.buffer, pointer >>> 0, length >>> 0);

/** The module parses them when a PCZT needs them. */
function takeParameters({ spend, output }: SaplingParameters): void {
  for (const [which, file] of [spend, output].entries())
    bytesAt(exports.allocate_sapling(which, file.length), file.length).set(file);
}

function answer({ name, pczt }: Call): void {
  bytesAt(exports.allocate(pczt.length), pczt.length).set(pczt);
  pczt.fill(0);
  const status = exports[name]();
  const inside = bytesAt(exports.answer_pointer(), exports.answer_length());
  const own = new Uint8Array(inside);
  inside.fill(0);
  post({ kind: 'answer', status, answer: own, memoryBytes: memory.buffer.byteLength }, [own.buffer]);
}

if (role.kind === 'calls') {
  system.attach({ _initialize: exports._initialize }, memory);
  exports.start_threads(role.threads);
  if (sapling !== undefined) takeParameters(sapling);
  parentPort?.on('message', answer);
} else {
  system.attach({}, memory);
  exports.wasi_thread_start(role.id, role.argument);
}
