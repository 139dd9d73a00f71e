// Runs the prover as WebAssembly: `node wasm.mjs wallet-companion-prover.wasm < payment.pczt > proved.pczt`. One thread, no
// files, no network: of WASI it is given standard input, output and error, and randomness.
import { randomFillSync } from 'node:crypto';
import { readFileSync, writeSync } from 'node:fs';

const [SUCCESS, BAD_FILE, NOT_THERE] = [0, 8, 52];
const [STDIN, STDERR] = [0, 2];

class Exit {
  constructor(code) {
    this.code = code;
  }
}

const input = readFileSync(STDIN);
let read = 0;
let memory;
const view = () => new DataView(memory.buffer);
const bytes = (at, length) => new Uint8Array(memory.buffer, at >>> 0, length >>> 0);
const write32 = (at, value) => view().setUint32(at >>> 0, value, true);

/** The pieces of memory that a list of them names. */
const pieces = (list, count) =>
  Array.from({ length: count }, (_, i) => {
    const at = (list >>> 0) + 8 * i;
    return bytes(view().getUint32(at, true), view().getUint32(at + 4, true));
  });

const given = {
  fd_read(file, list, count, done) {
    if (file !== STDIN) return BAD_FILE;
    let length = 0;
    for (const piece of pieces(list, count)) {
      const part = input.subarray(read, read + piece.length);
      piece.set(part);
      read += part.length;
      length += part.length;
    }
    write32(done, length);
    return SUCCESS;
  },
  fd_write(file, list, count, done) {
    if (file === STDIN || file > STDERR) return BAD_FILE;
    let length = 0;
    for (const piece of pieces(list, count)) {
      for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
      length += piece.length;
    }
    write32(done, length);
    return SUCCESS;
  },
  random_get(at, length) {
    randomFillSync(bytes(at, length));
    return SUCCESS;
  },
  environ_sizes_get(count, size) {
    write32(count, 0);
    write32(size, 0);
    return SUCCESS;
  },
  environ_get: () => SUCCESS,
  proc_exit(code) {
    throw new Exit(code);
  },
};

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const imports = {};
for (const { module: from, name } of WebAssembly.Module.imports(module)) {
  imports[from] ??= {};
  imports[from][name] = given[name] ?? (() => NOT_THERE);
}
const { exports } = new WebAssembly.Instance(module, imports);
memory = exports.memory;
try {
  exports._start();
} catch (thrown) {
  if (!(thrown instanceof Exit)) throw thrown;
  process.exitCode = thrown.code;
}
