// The rules that every reader of a PCZT checks (ZIP 374): the values of each field, and the relations between fields.

import { MAX_MONEY } from '@wallet-companion/zcash/network';
import { ACTION_POOLS, type ActionPool, POOL } from '@wallet-companion/zcash/pools';
import { VERSION_GROUP_ID } from '@wallet-companion/zcash/transactions';
import type { ActionBundle, Global, SaplingBundle, TransparentInput } from './layout.ts';
import { KNOWN_MODIFIABLE_BITS } from './modifiable.ts';
import { ENCODING_OF_VERSION, isEmptyActions, noteVersionOf, type Pczt } from './pczt.ts';
import { inField, refuse } from './refusal.ts';
import { allowsVersion } from './upgrades.ts';

/** Lock times from here on are seconds since 1970; lower ones are heights. */
export const FIRST_TIME_LOCK = 500_000_000;

const inconsistent = (field: string, text: string): never => refuse('inconsistent', field, text);

export function checkPczt(pczt: Pczt): void {
  inField('global', () => checkGlobal(pczt.global));
  inField('transparent', () => {
    checkItems('inputs', pczt.transparent.inputs, checkInput);
    checkItems('outputs', pczt.transparent.outputs, ({ value }) => checkValue(value));
  });
  inField('sapling', () => checkSapling(pczt.sapling));
  for (const pool of ACTION_POOLS) {
    inField(pool, () => {
      if (POOL[pool].transactionVersion > pczt.global.txVersion && !isEmptyActions(pool, pczt[pool]))
        inconsistent('', `version ${pczt.global.txVersion} cannot hold it`);
      checkActions(pool, pczt[pool]);
    });
  }
}

function checkItems<T>(name: string, items: readonly T[], check: (item: T) => void): void {
  items.forEach((item, i) => {
    inField(`${name}[${i}]`, () => check(item));
  });
}

function checkGlobal({ txVersion, versionGroupId, consensusBranchId, txModifiable }: Global): void {
  if (ENCODING_OF_VERSION[txVersion] === undefined)
    refuse('unsupported', 'txVersion', `there are no PCZTs for transactions of version ${txVersion}`);
  if (versionGroupId !== VERSION_GROUP_ID[txVersion])
    inconsistent('versionGroupId', `it is not that of version ${txVersion}`);
  if (!allowsVersion(consensusBranchId, txVersion))
    refuse('unsupported', 'consensusBranchId', `no known upgrade with version ${txVersion} has this branch`);
  if ((txModifiable & ~KNOWN_MODIFIABLE_BITS) !== 0) inconsistent('txModifiable', 'unknown bits are set');
}

function checkValue(value: bigint | undefined): void {
  if (value !== undefined && value > MAX_MONEY) inconsistent('value', 'it is above 21,000,000 ZEC');
}

function checkInput({ value, requiredTimeLockTime, requiredHeightLockTime }: TransparentInput): void {
  checkValue(value);
  if (requiredTimeLockTime !== undefined && requiredTimeLockTime < FIRST_TIME_LOCK)
    inconsistent('requiredTimeLockTime', 'it is a height');
  if (
    requiredHeightLockTime !== undefined &&
    (requiredHeightLockTime === 0 || requiredHeightLockTime >= FIRST_TIME_LOCK)
  )
    inconsistent('requiredHeightLockTime', 'it is no height');
}

/** Signed amounts of a bundle; undefined where an amount is absent. */
type Amounts = readonly (bigint | undefined)[];

function checkSum(valueSum: bigint, incoming: Amounts, outgoing: Amounts): void {
  if (valueSum > MAX_MONEY || valueSum < -MAX_MONEY)
    inconsistent('valueSum', 'it is more than there is money');
  let sum = 0n;
  for (const value of incoming) {
    if (value === undefined) return;
    sum += value;
  }
  for (const value of outgoing) {
    if (value === undefined) return;
    sum -= value;
  }
  if (sum !== valueSum) inconsistent('valueSum', 'it is not the sum of the values');
}

function checkSapling({ spends, outputs, valueSum }: SaplingBundle): void {
  checkItems('spends', spends, ({ value }) => checkValue(value));
  checkItems('outputs', outputs, ({ value }) => checkValue(value));
  checkSum(
    valueSum,
    spends.map(({ value }) => value),
    outputs.map(({ value }) => value),
  );
}

function checkActions(pool: ActionPool, { actions, flags, valueSum, noteVersion }: ActionBundle): void {
  if ((flags & ~POOL[pool].actionFlags) !== 0) inconsistent('flags', `${POOL[pool].name} has no such flags`);
  if (noteVersion !== noteVersionOf(pool)) inconsistent('noteVersion', 'it is that of another pool');
  checkItems('actions', actions, ({ spend, output }) => {
    inField('spend', () => checkValue(spend.value));
    inField('output', () => {
      checkValue(output.value);
      const { kind, bytes } = output.encCiphertext;
      if (kind === 'memoPlaintext' && bytes.at(-1) === 0)
        refuse('malformed', 'encCiphertext', 'a memo ends with zeros that must be left out');
    });
  });
  checkSum(
    valueSum,
    actions.map(({ spend }) => spend.value),
    actions.map(({ output }) => output.value),
  );
}
