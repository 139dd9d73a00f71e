// What a PCZT does, in the form of the response.

import { type Height, zecText } from '@wallet-companion/base/values';
import {
  type Encoding,
  type InspectedOutput,
  type InspectedSpend,
  type Inspection,
  itemAt,
  type Place,
} from '@wallet-companion/pczt/pczt';
import { txIdToHex } from '@wallet-companion/zcash/identifiers';
import { POOL, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import type { Output } from '../../../protocol/operations.ts';
import { contentView } from '../noteViews/receivedView.ts';

type View = Output<'pczt.inspect'>;
type Spend = View['spends'][number];

/** What the open wallet adds. */
export interface Comparison {
  /** Undefined where nothing was scanned. */
  readonly asOfHeight: Height | undefined;
  /** The name of the contact at an address. */
  contactAt(address: string): string | undefined;
  /** A warning where the address passes for one that is known. */
  doubtAbout(address: string): string | undefined;
  noteOf(
    pool: Pool,
    nullifier: Uint8Array,
  ): { readonly account: number; readonly isSpent: boolean } | undefined;
}

export function inspectionView(
  encoding: Encoding,
  inspection: Inspection,
  comparison: Comparison | undefined,
): View {
  const { txid, fee, conventionalFee, becomesPublic } = inspection;
  return {
    encoding,
    txid: txid === undefined ? null : txIdToHex(txid),
    transaction_version: inspection.txVersion,
    network_upgrade: inspection.upgrade,
    expiry_height: inspection.expiryHeight,
    last_height: inspection.lastHeight ?? null,
    lock_time: inspection.lockTime ?? null,
    compared_with_wallet: comparison !== undefined,
    as_of_height: comparison?.asOfHeight ?? null,
    fee_zatoshi: Number(fee),
    conventional_fee_zatoshi: Number(conventionalFee),
    spends: inspection.spends.map((spend) => spendView(spend, comparison)),
    outputs: inspection.outputs.map((output) => outputView(output, comparison)),
    becomes_public: {
      statements: publicStatements(inspection),
      leaves_pools: becomesPublic.valueBalances.map(({ pool, amount }) => ({
        pool,
        amount_zatoshi: Number(amount),
      })),
      transparent_inputs: becomesPublic.transparentInputs,
      transparent_outputs: becomesPublic.transparentOutputs,
    },
    missing: missingView(inspection),
    warnings: [
      ...inspection.warnings,
      ...spentWarnings(inspection, comparison),
      ...recipientWarnings(inspection, comparison),
    ].map((warning) => ({
      ...warning,
      code: snakeCase(warning.code),
    })),
  };
}

const isPool = (place: Place): place is Pool => place !== 'transparent';

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const zatoshi = (amount: bigint | undefined): number | null => (amount === undefined ? null : Number(amount));

function spendView(spend: InspectedSpend, comparison: Comparison | undefined): Spend {
  const { place, index, amount, address, isPadding, owner, account, isSigned, isVerified } = spend;
  const note = knownNote(spend, comparison);
  // A note that is known by its nullifier is the wallet's, whatever the fields contain.
  const isOurs = note !== undefined || owner !== undefined;
  const isDecidable = comparison !== undefined && isPool(place) && (isOurs || address !== undefined);
  return {
    pool: place,
    index,
    role: isPadding ? 'padding' : 'spend',
    amount_zatoshi: zatoshi(amount),
    address: address ?? null,
    ours: isDecidable ? isOurs : null,
    account: note?.account ?? account ?? null,
    scope: owner ?? null,
    note:
      comparison === undefined ? null : note === undefined ? 'unknown' : note.isSpent ? 'spent' : 'unspent',
    signed: isSigned,
    verified: isVerified,
  };
}

const knownNote = ({ place, nullifier }: InspectedSpend, comparison: Comparison | undefined) =>
  isPool(place) && nullifier !== undefined ? comparison?.noteOf(place, nullifier) : undefined;

const spentWarnings = ({ spends }: Inspection, comparison: Comparison | undefined) =>
  spends
    .filter((spend) => knownNote(spend, comparison)?.isSpent === true)
    .map(({ place, index }) => ({
      code: 'alreadySpent',
      field: itemAt(place, index, 'spend').field,
      text: 'this note of the wallet is spent already',
    }));

const recipientWarnings = ({ outputs }: Inspection, comparison: Comparison | undefined) =>
  outputs
    .filter(({ role, owner }) => role === 'payment' && owner === undefined)
    .flatMap(({ place, index, address, userAddress = address }) => {
      const doubt = userAddress && comparison?.doubtAbout(userAddress);
      if (doubt === undefined || doubt === '') return [];
      return [
        { code: 'looksLikeKnown', field: itemAt(place, index, 'output').field, text: `the address ${doubt}` },
      ];
    });

function outputView(output: InspectedOutput, comparison: Comparison | undefined): View['outputs'][number] {
  const { place, index, role, amount, address, userAddress, memo, owner, account, isVerified } = output;
  const isDecidable = comparison !== undefined && isPool(place) && address !== undefined;
  return {
    pool: place,
    index,
    role,
    amount_zatoshi: zatoshi(amount),
    address: address ?? null,
    typed_address: userAddress ?? null,
    contact: (isVerified && address !== undefined && comparison?.contactAt(address)) || null,
    memo: memo === undefined ? null : contentView(memo),
    ours: isDecidable ? owner !== undefined : null,
    account: account ?? null,
    scope: owner ?? null,
    verified: isVerified,
  };
}

const text = (zatoshi: bigint): string => zecText(Number(zatoshi));

/** What becomes public on the chain, in words. */
function publicStatements({ becomesPublic, fee, spends, outputs }: Inspection): string[] {
  const statements = [`the fee, ${text(fee)} ZEC`];
  for (const { pool, amount } of becomesPublic.valueBalances) {
    const { name } = POOL[pool];
    if (amount < 0n) statements.push(`${text(-amount)} ZEC go into ${name}`);
    else if (amount !== fee) statements.push(`${text(amount)} ZEC leave ${name}`);
  }
  for (const { place, address, amount } of spends)
    if (place === 'transparent')
      statements.push(`the sender ${address ?? '(a script)'}, ${text(amount ?? 0n)} ZEC`);
  for (const { place, address, amount } of outputs)
    if (place === 'transparent')
      statements.push(`the recipient ${address ?? '(a script)'}, ${text(amount ?? 0n)} ZEC`);
  return statements;
}

function missingView({ missing }: Inspection): View['missing'] {
  const places: readonly Place[] = ['transparent', ...POOLS];
  return places
    .map((pool) => ({
      pool,
      signatures: missing.signatures.get(pool) ?? 0,
      proofs: isPool(pool) && missing.proofs.includes(pool),
      binding_key: isPool(pool) && missing.bindingKeys.includes(pool),
    }))
    .filter(({ signatures, proofs, binding_key }) => signatures > 0 || proofs || binding_key);
}
