// Tables of sealed rows that add up to what was written, and quick to read whole.

export { FreshRows } from '../disk/rows/freshRows.ts';
export {
  EMPTY_ROW_SUM,
  RowSum,
  type RowSumValue,
  SUMMED_HALF,
  SUMMED_ROW,
} from '../disk/rows/rowSum.ts';
export {
  NAME_SIZE,
  numbersIn,
  SealedTable,
  type SealedTableKeys,
  sealedTableSchema,
  type WrittenRow,
} from '../disk/rows/sealedTable.ts';
export { type Restored as Told, SUMMARIES_SCHEMA, Summaries } from '../disk/rows/summaries.ts';
export { loadTable } from '../disk/rows/tableLoad.ts';
