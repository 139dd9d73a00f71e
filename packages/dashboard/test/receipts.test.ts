// What the page makes of a text with receipts: which they are, what each check says, and what they prove together.

import { type Client, CompanionError, type Output } from '@wallet-companion/client';
import test from 'ava';
import { lineOutline } from '../src/model/qrCode.ts';
import { checkReceipts, provedZatoshi, receiptsIn, verdictWords } from '../src/model/receipts.ts';

test('lines, links and JSON are receipts; a broken line is one again, and a repeated one counts once', (t) => {
  t.deepEqual(receiptsIn(' \n'), []);
  t.deepEqual(receiptsIn('eyJa\nbc d\neyJb\n\neyJb'), ['eyJabcd', 'eyJb']);
  t.deepEqual(receiptsIn('https://a.example/r#eyJa eyJb'), ['https://a.example/r#eyJa', 'eyJb']);
  t.deepEqual(receiptsIn(' { "label": "eyJ x" }\n'), ['{ "label": "eyJ x" }']);
});

type Answer = Output<'receipts.verify'>;
const RIGHT = { result: 'valid', reason: null, chain: 'mined', pool: 'orchard', output_index: 0 } as Answer;
const answers: Readonly<Record<string, Partial<Answer>>> = {
  eyJa: { value_zatoshi: 5, txid: 'aa' },
  eyJb: { value_zatoshi: 7, txid: 'aa', output_index: 1 },
  /** Another receipt for the first output. */
  eyJc: { value_zatoshi: 5, txid: 'aa' },
  eyJd: { value_zatoshi: 90, txid: 'dd', result: 'pending', reason: 'not_in_chain' },
  eyJe: { value_zatoshi: null, txid: 'ee', result: 'invalid', reason: 'does_not_open' },
  eyJf: { value_zatoshi: null, txid: 'ff', result: 'invalid', reason: 'other_network' },
};
/** What it is asked goes into `calls`. */
const callInto = (calls: unknown[]) =>
  (async (_name: string, input: { receipt: string }) => {
    calls.push(input);
    const answer = answers[input.receipt];
    const at = input.receipt.startsWith('eyJ') ? 'receipt' : 'transaction';
    if (answer) return { ...RIGHT, ...answer };
    throw new CompanionError('INVALID_REQUEST', 'x', { errors: [{ path: at, message: 'is refused' }] });
  }) as unknown as Client['call'];

test('each receipt has its verdict, a cut one too, and each output counts once', async (t) => {
  const verdicts = await checkReceipts(callInto([]), Object.keys(answers).concat('eyJcut').join('\n'), '');
  t.deepEqual(
    verdicts.map((verdict) => verdictWords(verdict).result),
    ['valid', 'valid', 'valid', 'pending', 'invalid', 'unchecked', 'invalid'],
  );
  const [right, , , gone, wrong, , cut] = verdicts.map((verdict) => verdictWords(verdict).text);
  t.regex(right!, /in the chain as/);
  t.regex(gone!, /reorganisation removed/);
  t.regex(wrong!, /does not open/);
  t.regex(cut!, /cut or changed/);
  t.is(provedZatoshi(verdicts), 12);
});

test('a transaction that is given goes with each receipt, and a wrong one is the failure of all', async (t) => {
  const calls: unknown[] = [];
  await checkReceipts(callInto(calls), 'eyJa', '06abcd');
  t.deepEqual(calls, [{ receipt: 'eyJa', transaction: '06abcd' }]);
  await t.throwsAsync(checkReceipts(callInto(calls), 'other', '00'), { instanceOf: CompanionError });
});

test('a receipt is a QR code with its letters as they are, up to what a phone reads', (t) => {
  t.true(lineOutline('eyJ'.repeat(120))!.width > lineOutline('eyJ')!.width);
  t.is(lineOutline('e'.repeat(1_001)), undefined);
});
