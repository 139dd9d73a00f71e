// Trial decryption on a compiled kernel, in any thread.

import { BuildDecryptor, type KernelDecryptor } from './buildDecryptor.ts';
import type { KernelModule } from './load/kernelModule.ts';
import { WatchedDecryptor } from './watchedDecryptor.ts';

/**
 * Instantiates and tests the kernel in this thread. Uses up to 64 MiB of separate memory, for each build of a watched one.
 *
 * @throws KernelUnavailableError when the kernel computes wrongly here.
 */
export const createDecryptor = (module: KernelModule): KernelDecryptor =>
  module.watch === undefined ? new BuildDecryptor(module) : new WatchedDecryptor(module, module.watch);
