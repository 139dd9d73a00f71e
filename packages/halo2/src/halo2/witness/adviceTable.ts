// The advice columns of one action: 10 columns of 2,048 cells of 32 bytes, little-endian, column by column. A cell that no
// region assigns is 0.
import { PALLAS_BASE } from '@wallet-companion/zcash/curves';

export const ROWS = 2048;
export const ADVICE_COLUMNS = 10;
export const CELL_BYTES = 32;

const P = PALLAS_BASE.order;

export class AdviceTable {
  /** Secret: from it follow the keys and both notes. */
  readonly bytes = new Uint8Array(ADVICE_COLUMNS * ROWS * CELL_BYTES);
  readonly #view = new DataView(this.bytes.buffer);

  /** A residue, which may be negative. */
  set(column: number, row: number, residue: bigint): void {
    const value = residue < 0n ? residue + P : residue;
    const at = (column * ROWS + row) * CELL_BYTES;
    this.#view.setBigUint64(at, BigInt.asUintN(64, value), true);
    this.#view.setBigUint64(at + 8, BigInt.asUintN(64, value >> 64n), true);
    this.#view.setBigUint64(at + 16, BigInt.asUintN(64, value >> 128n), true);
    this.#view.setBigUint64(at + 24, value >> 192n, true);
  }
}
