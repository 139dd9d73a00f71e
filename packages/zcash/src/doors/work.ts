// Proof of work of block headers, what a network asks of it, and what else they commit to.

export {
  authDataRoot,
  type CommittedBlock,
  type HistoryBlock,
  HistoryTree,
  isCommitted,
} from '../zcash/work/blockCommitments.ts';
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
