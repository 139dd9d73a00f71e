// The fee of a transaction by its logical actions (ZIP 317).

export {
  type CountedItems,
  feePerAction,
  INPUT_SIZE,
  type ItemCounts,
  LEAST_FEE_PER_ACTION,
  logicalActions,
  MOST_FEE_PER_ACTION,
  OUTPUT_SIZE,
} from '../zcash/zip317.ts';
