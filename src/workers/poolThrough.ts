// A scan pool that passes each task to the pool chosen at that moment.

import type { ScanPool } from '../actors/wallet/ports/scanPool.ts';

export abstract class PoolThrough implements ScanPool {
  abstract readonly concurrency: number;

  readonly scan: ScanPool['scan'] = (...task) => this.run((pool) => pool.scan(...task));

  readonly enhance: ScanPool['enhance'] = (...task) => this.run((pool) => pool.enhance(...task));

  readonly readUnmined: ScanPool['readUnmined'] = (...task) => this.run((pool) => pool.readUnmined(...task));

  readonly leaves: ScanPool['leaves'] = (...task) => this.run((pool) => pool.leaves(...task));

  readonly combine: ScanPool['combine'] = (...task) => this.run((pool) => pool.combine(...task));

  abstract close(): Promise<void>;

  protected abstract run<T>(task: (pool: ScanPool) => Promise<T>): Promise<T>;
}
