// Compares the returned PCZT with the one that was sent, field by field, and reports the differences. A missing field
// is allowed: every role may remove it. Additional fields are handled elsewhere.
import { bytesToHex, equalBytes, wipe } from '@wallet-companion/base/bytes';
import { padMemo } from '@wallet-companion/zcash/notes';
import { ACTION_POOLS, type ActionPool, type Pool } from '@wallet-companion/zcash/pools';
import { memoInCiphertext, outputNoteOf } from '../compactFields.ts';
import { feeOf } from '../fee.ts';
import type { Place } from '../inspection.ts';
import type { Action, SaplingOutput } from '../layout.ts';
import { saplingNoteOf } from '../outputChecks.ts';
import type { DescribedNote } from '../outputNote.ts';
import type { Pczt } from '../pczt.ts';
import { isSameValue } from '../sameValue.ts';
import type { Steps } from '../steps.ts';
import { type At, bundleAt, itemAt, listAt, WHOLE } from './at.ts';
import type { ChangeKind, ReturnChange } from './changes.ts';
import {
  ACTION_BUNDLE_RULES,
  ACTION_OUTPUT_RULES,
  ACTION_RULES,
  ACTION_SPEND_RULES,
  GLOBAL_RULES,
  INPUT_RULES,
  type Rule,
  type Rules,
  SAPLING_OUTPUT_RULES,
  SAPLING_RULES,
  SAPLING_SPEND_RULES,
  TRANSPARENT_OUTPUT_RULES,
} from './fieldRules.ts';

/** Empty where `theirs` has no effect that `ours` lacks. `ours` has its compact fields. */
export function* comparing(ours: Pczt, theirs: Pczt): Steps<ReturnChange[]> {
  if (yield* isAnother(ours, theirs)) return [{ ...WHOLE, kind: 'anotherTransaction' }];
  const changes: ReturnChange[] = [];
  const found = (at: At, kind: ChangeKind, field?: string): void => {
    changes.push({ ...at, kind, field: join(at.field, field) });
  };
  compareFields({ ...WHOLE, field: 'global' }, GLOBAL_RULES, ours.global, theirs.global, found);
  compareTransparent(ours, theirs, found);
  yield* compareSapling(ours, theirs, found);
  for (const pool of ACTION_POOLS) yield* compareActions(pool, ours, theirs, found);
  if (feeOf(ours) !== feeOf(theirs)) {
    const { field } = changes.find(({ kind }) => kind === 'valueBalance' || kind === 'amount') ?? WHOLE;
    found({ ...WHOLE, field }, 'fee');
  }
  return changes;
}

type Found = (at: At, kind: ChangeKind, field?: string) => void;

const join = (at: string, field: string | undefined): string =>
  field === undefined ? at : at === '' ? field : `${at}.${field}`;

/** Values that no two transactions share. */
function* marksOf({ sapling, ...pools }: Pczt): Generator<Uint8Array, void, void> {
  for (const { nullifier, rk } of sapling.spends) yield* [nullifier, rk];
  for (const { cmu } of sapling.outputs) yield cmu;
  for (const pool of ACTION_POOLS)
    for (const { spend, output } of pools[pool].actions) {
      yield* [spend.nullifier, spend.rk];
      if (output.cmx !== undefined) yield output.cmx;
    }
}

/** A returned PCZT may have the largest size that can be read. */
const MARKS_PER_STEP = 500;

function* isAnother(ours: Pczt, theirs: Pczt): Steps<boolean> {
  const marks = new Set([...marksOf(ours)].map(bytesToHex));
  let looked = 0;
  for (const mark of marksOf(theirs)) {
    if (marks.has(bytesToHex(mark))) return false;
    if (++looked % MARKS_PER_STEP === 0) yield;
  }
  return marks.size > 0;
}

function compareFields<T>(at: At, rules: Rules<T>, ours: T, theirs: T, found: Found): void {
  for (const [name, rule] of Object.entries(rules) as [keyof T & string, Rule][]) {
    if (rule.as === 'apart' || rule.as === 'leftAside') continue;
    if (!isAllowed(rule, ours[name], theirs[name])) found(at, rule.change, name);
  }
}

function isAllowed(rule: Rule, ours: unknown, theirs: unknown): boolean {
  switch (rule.as) {
    case 'effect':
      return theirs === undefined || isSameValue(ours, theirs);
    case 'effectOr':
      return (ours ?? rule.absent) === (theirs ?? rule.absent);
    case 'said':
      return ours === undefined || theirs === undefined || isSameValue(ours, theirs);
    case 'reportedByKey':
      return agrees(ours as Entries, theirs as Entries);
    case 'bits':
      return ((theirs as number) & ~(ours as number)) === 0;
    case 'never':
      return theirs === undefined;
    default:
      return true;
  }
}

type Entries = ReadonlyMap<string, unknown>;

const agrees = (ours: Entries, theirs: Entries): boolean =>
  [...ours].every(([key, value]) => !theirs.has(key) || isSameValue(value, theirs.get(key)));

function compareTransparent(ours: Pczt, theirs: Pczt, found: Found): void {
  const { inputs, outputs } = ours.transparent;
  const others = theirs.transparent;
  if (isSameLength('transparent', 'spend', inputs, others.inputs, found))
    inputs.forEach((input, i) => {
      compareFields(itemAt('transparent', i, 'spend'), INPUT_RULES, input, others.inputs[i]!, found);
    });
  if (isSameLength('transparent', 'output', outputs, others.outputs, found))
    outputs.forEach((output, i) => {
      const at = itemAt('transparent', i, 'output');
      compareFields(at, TRANSPARENT_OUTPUT_RULES, output, others.outputs[i]!, found);
    });
}

function* compareSapling({ sapling: ours }: Pczt, { sapling: theirs }: Pczt, found: Found): Steps<void> {
  const isUsed = ours.spends.length + ours.outputs.length > 0;
  compareFields(bundleAt('sapling'), rulesOf(SAPLING_RULES, isUsed), ours, theirs, found);
  const nullifierOf = ({ nullifier }: { nullifier: Uint8Array }): Uint8Array => nullifier;
  if (isSameList('sapling', 'spend', ours.spends, theirs.spends, nullifierOf, found))
    ours.spends.forEach((spend, i) => {
      compareFields(itemAt('sapling', i, 'spend'), SAPLING_SPEND_RULES, spend, theirs.spends[i]!, found);
    });
  yield;
  if (!isSameList('sapling', 'output', ours.outputs, theirs.outputs, ({ cmu }) => cmu, found)) return;
  for (const [i, output] of ours.outputs.entries()) {
    const at = itemAt('sapling', i, 'output');
    const other = theirs.outputs[i]!;
    compareFields(at, SAPLING_OUTPUT_RULES, output, other, found);
    yield* compareCiphertexts(
      at,
      'sapling',
      saplingNoteOf(output),
      ciphertextOf(output),
      ciphertextOf(other),
      found,
    );
  }
}

function* compareActions(pool: ActionPool, ours: Pczt, theirs: Pczt, found: Found): Steps<void> {
  const { actions } = ours[pool];
  const others = theirs[pool].actions;
  const rules = rulesOf(ACTION_BUNDLE_RULES, actions.length > 0);
  compareFields(bundleAt(pool), rules, ours[pool], theirs[pool], found);
  const nullifierOf = ({ spend }: Action): Uint8Array => spend.nullifier;
  if (!isSameList(pool, undefined, actions, others, nullifierOf, found)) return;
  for (const [i, action] of actions.entries()) {
    const other = others[i]!;
    compareFields(itemAt(pool, i, undefined), ACTION_RULES, action, other, found);
    compareFields(itemAt(pool, i, 'spend'), ACTION_SPEND_RULES, action.spend, other.spend, found);
    const at = itemAt(pool, i, 'output');
    compareFields(at, ACTION_OUTPUT_RULES, action.output, other.output, found);
    const note = outputNoteOf(pool, action);
    yield* compareCiphertexts(at, pool, note, action.output, other.output, found);
  }
}

/** The anchor of an unused bundle has no meaning, and encodings differ about it. */
const rulesOf = <T extends { readonly anchor: unknown }>(rules: Rules<T>, isUsed: boolean): Rules<T> =>
  isUsed ? rules : { ...rules, anchor: { as: 'leftAside' } };

function isSameLength(
  place: Place,
  part: At['part'],
  ours: readonly unknown[],
  theirs: readonly unknown[],
  found: Found,
): boolean {
  const list = listAt(place, part);
  if (theirs.length > ours.length) found(list, 'added');
  if (theirs.length < ours.length) found(list, 'removed');
  return theirs.length === ours.length;
}

/** Marks identify the items, so that a moved item is not reported as many changes. */
function isSameList<T>(
  place: Pool,
  part: At['part'],
  ours: readonly T[],
  theirs: readonly T[],
  markOf: (item: T) => Uint8Array,
  found: Found,
): boolean {
  if (!isSameLength(place, part, ours, theirs, found)) return false;
  const [before, after] = [ours, theirs].map((items) => items.map((item) => bytesToHex(markOf(item)))) as [
    string[],
    string[],
  ];
  if (isSameValue(before, after) || !isSameValue(before.toSorted(), after.toSorted())) return true;
  found(listAt(place, part), 'order');
  return false;
}

type Ciphertext = Pick<Action['output'], 'ephemeralKey' | 'encCiphertext'>;

const ciphertextOf = ({ ephemeralKey, encCiphertext }: SaplingOutput): Ciphertext => ({
  ephemeralKey,
  encCiphertext: { kind: 'encrypted', bytes: encCiphertext },
});

/** A memo is accepted in place of the ciphertext that our note has with it. */
function* compareCiphertexts(
  at: At,
  pool: Pool,
  note: DescribedNote | undefined,
  ours: Ciphertext,
  theirs: Ciphertext,
  found: Found,
): Steps<void> {
  const { kind, bytes } = theirs.encCiphertext;
  if (kind === 'encrypted' && equalBytes(bytes, ours.encCiphertext.bytes)) return;
  const memoIn = (ciphertext: Uint8Array): Uint8Array | undefined =>
    note && memoInCiphertext(pool, note, ours.ephemeralKey, ciphertext);
  const memo = memoIn(ours.encCiphertext.bytes);
  yield;
  const other = kind === 'encrypted' ? memoIn(bytes) : padMemo(bytes);
  yield;
  if (memo === undefined || other === undefined) found(at, 'ciphertext', 'encCiphertext');
  else if (!equalBytes(memo, other)) found(at, 'memo', 'encCiphertext');
  wipe(memo, other);
}
