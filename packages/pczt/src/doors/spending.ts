// Plans a payment and builds its PCZT: which notes are spent, who is paid, the fee, and what becomes public.

export type { PlannedChange } from '../pczt/change.ts';
export { type BuiltPczt, buildingPczt, buildPczt, type NoteOpening } from '../spending/builder.ts';
export { changePools } from '../spending/changePool.ts';
export { canCreatePczt, createPczt } from '../spending/creator.ts';
export type { Disclosure } from '../spending/disclosure.ts';
export {
  type Confirmations,
  DEFAULT_CONFIRMATIONS,
  type OwnNote,
} from '../spending/funds.ts';
export {
  type OwnOutput,
  type OwnTransparentAddress,
  ownTransparentAddresses,
} from '../spending/ownOutput.ts';
export { formOf } from '../spending/plan.ts';
export {
  checkingPayees,
  type FundsRequest,
  type PayeesRequest,
  type Proposal,
  type ProposalOptions,
  proposePayment,
  proposingPayment,
  type SpendableFunds,
  spendableFunds,
} from '../spending/proposal.ts';
export {
  type Full,
  type Funds,
  type RecipientFault,
  type SpendingProblem,
  SpendingRefusal,
} from '../spending/refusal.ts';
export { rulesAt } from '../spending/rules.ts';
export { proposeShielding, type ShieldingRequest } from '../spending/shielding.ts';
export type { SeedAccount } from '../spending/spendingKeys.ts';
