// Every field of a PCZT that comes back: what it says otherwise than ours is refused or left aside, and nothing but
// signatures, proofs and proof keys ever gets into ours.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { inTurn, oneIn } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import { encodePczt } from '../../../src/pczt/codec.ts';
import type { Pczt } from '../../../src/pczt/pczt.ts';
import { type ReturnChange, sentenceOf } from '../../../src/pczt/returned/changes.ts';
import { withoutProofs } from '../../../src/pczt/returned/pieces.ts';
import { takeReturned } from '../../../src/pczt/returned/returned.ts';
import { type Variation, variationsOf } from '../../helpers/pcztVariations.ts';
import { cases, stageOf, withField } from '../../helpers/pcztVectors.ts';
import { builtStories } from '../../helpers/returnedStories.ts';

const hexOf = (pczt: Pczt): string => bytesToHex(encodePczt(pczt, 2));
const isProof = (field: string): boolean => field.endsWith('.zkproof');
/** What may be missing in ours, and so be taken. */
const PIECE = /\.(?:zkproof|spendAuthSig|proofGenerationKey)$/;

interface Pair {
  readonly title: string;
  readonly ours: Pczt;
  readonly theirs: Pczt;
}

const CASES: readonly Pair[] = [
  ...cases.flatMap((one, place): readonly Pair[] => {
    const ours = stageOf(one, 'ready')!;
    const theirs = stageOf(one, 'complete') ?? stageOf(one, 'signed');
    const pairs = [
      { title: `${one.name}, unsigned`, ours, theirs: ours },
      ...(theirs === undefined
        ? []
        : [
            { title: `${one.name}, signed`, ours, theirs },
            { title: `${one.name}, signed before`, ours: theirs, theirs },
          ]),
    ];
    return inTurn(pairs, place);
  }),
  ...oneIn(4, builtStories()).map(({ name, ready, signed }) => ({
    title: name,
    ours: ready,
    theirs: signed,
  })),
];

for (const { title, ours, theirs } of CASES) {
  test(`${title}: no field is taken but what may be`, (t) => {
    const whole = takeReturned(ours, theirs);
    if (!whole.ok) return t.fail(whole.changes.map((change) => sentenceOf(change)).join(' '));
    const found: string[] = [];
    let tried = 0;
    for (const { field, how, pczt } of variationsOf(theirs)) {
      tried++;
      const back = takeReturned(ours, pczt);
      const fault = back.ok
        ? faultOfTaking(back.pczt, whole.pczt, ours, field, how)
        : faultOfRefusal(back.changes, field, how);
      if (fault !== undefined) found.push(`${field} ${how}: ${fault}`);
    }
    t.true(tried > 100, `${tried}`);
    t.deepEqual(found, []);
  });
}

type How = Variation['how'];

function faultOfRefusal(changes: readonly ReturnChange[], field: string, how: How): string | undefined {
  const sentences = changes.map((change) => sentenceOf(change));
  const [first] = sentences;
  if (first === undefined) return 'is refused without a reason';
  const odd = sentences.find((one) => !/^[A-Z][^.]*\.$/.test(one) || /undefined|NaN|null/.test(one));
  if (odd !== undefined) return `says "${odd}"`;
  if (how === 'removed') return `is refused: ${first}`;
  // A list may be named for one of its items, and the fee for what it follows from.
  const isNamed = changes.some((one) => field.startsWith(one.field) || one.field.startsWith(field));
  return isNamed ? undefined : `is refused as ${changes.map((one) => one.field).join(', ')}`;
}

/** `expected`: what is taken where nothing was changed. */
function faultOfTaking(taken: Pczt, expected: Pczt, ours: Pczt, field: string, how: How): string | undefined {
  if (isProof(field) && how !== 'removed')
    return hexOf(withoutProofs(taken)) === hexOf(withoutProofs(expected))
      ? undefined
      : 'changes other fields';
  if (how === 'changed') return 'is not refused';
  if (how === 'added' || !PIECE.test(field))
    return hexOf(taken) === hexOf(expected) ? undefined : 'changes what is taken';
  const path = field.replaceAll(/\[(\d+)\]/g, '.$1');
  const without = withField(expected, path, fieldOf(ours, path));
  return hexOf(taken) === hexOf(without) ? undefined : 'changes what else is taken';
}

const fieldOf = (pczt: Pczt, path: string): unknown =>
  path.split('.').reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], pczt);
