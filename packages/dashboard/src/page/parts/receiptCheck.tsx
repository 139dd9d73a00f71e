// The check of receipts: a form, and what it found of each, with the transaction given or asked for.

import { useState } from 'preact/hooks';
import { Objection } from '../../model/problems.ts';
import {
  type Made,
  provedZatoshi,
  receiptsIn,
  type Shown,
  type Verdict,
  verdictWords,
} from '../../model/receipts.ts';
import { activityTexts } from '../../texts/activity.ts';
import { payTexts } from '../../texts/pay.ts';
import { receiptsTexts } from '../../texts/receipts.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { formats, store } from '../live/app.ts';
import { Field, Form, type Typed } from './form.tsx';
import { Card, Details, type Fact, Facts } from './layout.tsx';
import { Amount, Hint, Memo, Notice } from './text.tsx';

type OpenedProps = Pick<Made, 'memo' | 'label'> & {
  value_zatoshi: number | null;
  recipient: string | null;
  more?: readonly (Fact | false)[];
};

/** What a receipt shows of its output; nothing of it where the output was not opened. */
export function Opened({ value_zatoshi: value, recipient, memo, label, more = [] }: OpenedProps) {
  const texts = receiptsTexts();
  return (
    <Facts
      rows={[
        value !== null && [sharedTexts().amount, <Amount key="amount" zatoshi={value} />],
        recipient !== null && [texts.paidTo, <code key="to" children={recipient} />],
        memo !== null && [activityTexts().memo, <Memo key="memo" memo={memo} />],
        label !== '' && [texts.words, <bdi key="label" children={label} />],
        ...more,
      ]}
    />
  );
}

interface CheckProps {
  /** `transaction`: in hexadecimal; empty where none is given. */
  find: (receipts: string, transaction: string) => Promise<readonly Verdict[]>;
  /** There is no companion to ask: what a receipt names has to be given. */
  isAlone?: boolean;
  /** What is in the field from the beginning. */
  given?: string;
}

export function ReceiptCheck({ find, isAlone = false, given = '' }: CheckProps) {
  const texts = receiptsTexts();
  const [verdicts, setVerdicts] = useState<readonly Verdict[]>([]);
  const check = async (typed: Typed) => {
    setVerdicts([]);
    const text = typed('receipt');
    if (receiptsIn(text).length === 0) throw new Objection(texts.noReceipt, 'receipt');
    const found = await find(text, typed('transaction').replaceAll(/\s+/g, '').toLowerCase());
    setVerdicts(found);
    if (!isAlone) store.announce(found.map((one) => verdictWords(one).name).join(', '));
  };
  const isSum = verdicts.length > 1 && provedZatoshi(verdicts) > 0;
  return (
    <Card title={texts.checkOne}>
      <Hint text={isAlone ? texts.aloneHelp : texts.checkHelp} />
      <Form submit={texts.check} act={check} onInput={() => setVerdicts([])}>
        <Field kind="area" name="receipt" label={texts.receipt} defaultValue={given} />
        {isAlone ? (
          <Field kind="area" name="transaction" label={texts.transaction} help={texts.aloneSource} />
        ) : (
          <Details summary={texts.unasked}>
            <Field kind="area" name="transaction" label={texts.transaction} help={texts.transactionHelp} />
          </Details>
        )}
      </Form>
      <div {...(isAlone && { role: 'status' })}>
        {verdicts.map((verdict, index) => (
          <Result key={index} verdict={verdict} />
        ))}
      </div>
      {isSum && <Hint text={texts.sum(formats.amountText(provedZatoshi(verdicts)))} />}
      {verdicts.length > 0 && <Notice text={texts.notWho} />}
    </Card>
  );
}

function Result({ verdict }: { verdict: Verdict }) {
  const { result, name, text } = verdictWords(verdict);
  return (
    <div class="part">
      <p class={`verdict ${result}`}>
        <strong>{name}</strong>
        {` ${text}`}
      </p>
      {verdict.kind === 'checked' && <Opened {...verdict.answer} more={placeOf(verdict.answer)} />}
      {verdict.kind === 'incomplete' && <Facts rows={namedBy(verdict)} />}
    </div>
  );
}

function placeOf(answer: Shown): readonly (Fact | false)[] {
  const { mined_height: height, confirmations, signed, issuer_pubkey: key } = answer;
  return [
    height !== null && [
      activityTexts().block,
      payTexts().minedIn(formats.count(height), formats.counted(confirmations ?? 0, 'confirmation')),
    ],
    ...namedBy(answer),
    signed && key !== null && [receiptsTexts().signedBy, <code key="key" children={key} />],
  ];
}

const namedBy = ({ network, txid }: Pick<Shown, 'network' | 'txid'>): readonly Fact[] => [
  [receiptsTexts().network, sharedTexts().networks[network]],
  [activityTexts().transaction, <code key="txid" children={txid} />],
];
