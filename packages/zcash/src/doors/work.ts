// Proof of work of block headers, and what a network asks of it.

export { compactTarget, targetOf, workOf } from '../zcash/work/target.ts';
export {
  expectedBits,
  headersBefore,
  isTimely,
  MAIN_WORK,
  ownWork,
  type PacedHeader,
  regtestWork,
  TEST_WORK,
  type WorkRules,
  workRules,
} from '../zcash/work/workRules.ts';
