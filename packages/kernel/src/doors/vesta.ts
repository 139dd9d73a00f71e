// Vesta in a thread that receives the kernel compiled: sums of multiples of points, and lanes of scalars. Needs nothing of
// Node.

export { BatchInversion } from '../kernel/batch/batchInversion.ts';
export { BLOCK_BYTES, type FieldLanes, LANES_PER_BLOCK } from '../kernel/batch/fieldLanes.ts';
export {
  decodePoints,
  instantiateVesta,
  type VestaKernel,
  type VestaModule,
} from '../kernel/vesta/vestaKernel.ts';
export { VestaSums } from '../kernel/vesta/vestaSums.ts';
