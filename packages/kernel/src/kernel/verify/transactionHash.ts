// BLAKE2b-256 on the kernel's hash module, for the transaction ids of full blocks: in plain JavaScript they would
// cost as much as trial decryption itself.

import type { Blake2b256 } from '@wallet-companion/zcash/curves';
import type { SymmetricExports } from '../load/kernelExports.ts';
import type { KernelModule } from '../load/kernelModule.ts';

const PAGE = 65_536;

/**
 * BLAKE2b-256 on the kernel, for the ids of whole transactions. Uses a separate instance, whose memory grows to the
 * largest message hashed.
 */
export function createBlake2b256({ modules }: KernelModule): Blake2b256 {
  // The module's static data ends within the first pages (generator/build.ts); messages follow.
  const memory = new WebAssembly.Memory({ initial: 4 });
  const instance = new WebAssembly.Instance(modules.symmetric, { env: { memory } });
  const exports = instance.exports as unknown as SymmetricExports;
  const personalAt = (exports.dataEnd() + 15) & ~15;
  const outAt = personalAt + 16;
  const messageAt = outAt + 32;
  let bytes = new Uint8Array(memory.buffer);
  return (personal, parts) => {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const missing = messageAt + length - bytes.length;
    if (missing > 0) {
      memory.grow(Math.ceil(missing / PAGE));
      bytes = new Uint8Array(memory.buffer);
    }
    bytes.set(personal, personalAt);
    let offset = messageAt;
    for (const part of parts) {
      bytes.set(part, offset);
      offset += part.length;
    }
    exports.blake2b(outAt, 32, personalAt, messageAt, length);
    return bytes.slice(outAt, outAt + 32);
  };
}
