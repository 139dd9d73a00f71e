// Plans a payment and builds its PCZT: which notes are spent, who is paid, the fee, and what becomes public.

export { type BuiltPczt, buildingPczt, buildPczt, type NoteOpening } from '../shielded/spending/builder.ts';
export { changePools } from '../shielded/spending/changePool.ts';
export { canCreatePczt, createPczt } from '../shielded/spending/creator.ts';
export type { Disclosure } from '../shielded/spending/disclosure.ts';
export {
  type Confirmations,
  DEFAULT_CONFIRMATIONS,
  type OwnNote,
} from '../shielded/spending/funds.ts';
export {
  type OwnOutput,
  type OwnTransparentAddress,
  ownTransparentAddresses,
} from '../shielded/spending/ownOutput.ts';
export {
  checkingPayees,
  type FundsRequest,
  type PayeesRequest,
  type Proposal,
  type ProposalOptions,
  proposePayment,
  proposingPayment,
  spendableFunds,
} from '../shielded/spending/proposal.ts';
export {
  type Full,
  type Funds,
  type RecipientFault,
  type SpendingProblem,
  SpendingRefusal,
} from '../shielded/spending/refusal.ts';
export { rulesAt } from '../shielded/spending/rules.ts';
export { proposeShielding, type ShieldingRequest } from '../shielded/spending/shielding.ts';
export type { SeedAccount } from '../shielded/spending/spendingKeys.ts';
export {
  feePerAction,
  INPUT_SIZE,
  LEAST_FEE_PER_ACTION,
  logicalActions,
  MOST_FEE_PER_ACTION,
  OUTPUT_SIZE,
} from '../shielded/zip317.ts';
