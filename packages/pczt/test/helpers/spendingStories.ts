// The payments that must work: from which notes, to whom, with what consent, and what comes of it.
import type { PlannedChange } from '../../src/pczt/change.ts';
import type { ProposalOptions } from '../../src/spending/proposal.ts';
import { type madeUpNote, orchardAddress, saplingAddress, unifiedAddress } from './spendingAccount.ts';

export const TRANSPARENT_ADDRESS = 'tmF3CKFqQ68GdisHK3D9S8pMty7a7Fr2wiN';

export interface Story {
  readonly name: string;
  readonly notes: readonly Parameters<typeof madeUpNote>[0][];
  readonly address: string;
  /** Undefined: everything. */
  readonly zatoshi: number | undefined;
  readonly memo?: string;
  readonly options?: ProposalOptions;
  readonly fee: number;
  readonly sent: number;
  readonly change: PlannedChange | undefined;
  /** Spends that the account's keys sign. */
  readonly signatures: number;
}

const crossing: ProposalOptions = { consents: ['crossing_pools'] };

export const STORIES: readonly Story[] = [
  {
    name: 'Ironwood to Ironwood with a memo',
    notes: [
      { pool: 'ironwood', zatoshi: 40_000_000 },
      { pool: 'ironwood', zatoshi: 60_000_000, scope: 'internal' },
    ],
    address: unifiedAddress(),
    zatoshi: 75_000_000,
    memo: 'Ironwood 🌳',
    fee: 10_000,
    sent: 75_000_000,
    change: { pool: 'ironwood', zatoshi: 24_990_000, notes: 1 },
    signatures: 2,
  },
  {
    name: 'Orchard to Ironwood, change kept in Orchard',
    notes: [
      { pool: 'orchard', zatoshi: 50_000_000, scope: 'internal' },
      { pool: 'orchard', zatoshi: 50_000_000 },
    ],
    address: orchardAddress(),
    zatoshi: 90_000_000,
    memo: 'most of it',
    options: crossing,
    fee: 25_000,
    sent: 90_000_000,
    change: { pool: 'orchard', zatoshi: 9_975_000, notes: 1 },
    signatures: 3,
  },
  {
    name: 'Orchard to Ironwood, change moved to Ironwood',
    notes: [{ pool: 'orchard', zatoshi: 100_000_000 }],
    address: unifiedAddress(),
    zatoshi: 20_000_000,
    options: { ...crossing, changePolicy: 'moved' },
    fee: 20_000,
    sent: 20_000_000,
    change: { pool: 'ironwood', zatoshi: 79_980_000, notes: 1 },
    signatures: 1,
  },
  {
    name: 'Ironwood to a transparent address',
    notes: [{ pool: 'ironwood', zatoshi: 50_000_000 }],
    address: TRANSPARENT_ADDRESS,
    zatoshi: 10_000_000,
    options: { consents: ['transparent_recipients'] },
    fee: 15_000,
    sent: 10_000_000,
    change: { pool: 'ironwood', zatoshi: 39_985_000, notes: 1 },
    signatures: 1,
  },
  {
    name: 'Sapling to Ironwood, change kept in Sapling',
    notes: [{ pool: 'sapling', zatoshi: 50_000_000 }],
    address: orchardAddress(),
    zatoshi: 10_000_000,
    memo: 'from Sapling',
    options: { ...crossing, changePolicy: 'kept' },
    fee: 20_000,
    sent: 10_000_000,
    change: { pool: 'sapling', zatoshi: 39_980_000, notes: 1 },
    signatures: 1,
  },
  {
    name: 'Sapling to Sapling',
    notes: [{ pool: 'sapling', zatoshi: 50_000_000 }],
    address: saplingAddress(),
    zatoshi: 10_000_000,
    memo: 'Sapling',
    fee: 10_000,
    sent: 10_000_000,
    change: { pool: 'sapling', zatoshi: 39_990_000, notes: 1 },
    signatures: 1,
  },
  {
    name: 'Ironwood with the change in four notes',
    notes: [{ pool: 'ironwood', zatoshi: 100_000_000 }],
    address: unifiedAddress(),
    zatoshi: 50_000_000,
    options: { changeNotes: 4 },
    fee: 25_000,
    sent: 50_000_000,
    change: { pool: 'ironwood', zatoshi: 49_975_000, notes: 4 },
    signatures: 1,
  },
  {
    name: 'everything out of two pools',
    notes: [
      { pool: 'ironwood', zatoshi: 1_000_000 },
      { pool: 'ironwood', zatoshi: 4_000 },
      { pool: 'orchard', zatoshi: 2_000_000 },
    ],
    address: orchardAddress(),
    zatoshi: undefined,
    memo: 'all of it',
    options: { ...crossing, everything: true },
    // Two actions in each pool: the dust fits into one that is paid anyway.
    fee: 20_000,
    sent: 2_984_000,
    change: undefined,
    signatures: 3,
  },
];
