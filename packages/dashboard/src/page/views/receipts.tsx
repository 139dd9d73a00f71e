// Receipts for payments: "I paid you, here", made for what a transaction of the wallet paid to others; and the check of any receipt.

import { useState } from 'preact/hooks';
import { placeIn } from '../../model/place.ts';
import { Objection } from '../../model/problems.ts';
import { lineOutline } from '../../model/qrCode.ts';
import {
  checkReceipts,
  type Made,
  provedZatoshi,
  receiptsIn,
  type Verdict,
  verdictWords,
} from '../../model/receipts.ts';
import { activityTexts } from '../../texts/activity.ts';
import { payTexts } from '../../texts/pay.ts';
import { receiptsTexts } from '../../texts/receipts.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { call, formats, store } from '../live/app.ts';
import { Field, Form, type Typed } from '../parts/form.tsx';
import { Actions, Card, Details, type Fact, Facts } from '../parts/layout.tsx';
import { QrCode } from '../parts/qr.tsx';
import { Amount, Boxed, CopyButton, Hint, Memo, Notice } from '../parts/text.tsx';

export function Receipts() {
  const { item } = placeIn(location.hash);
  return (
    <>
      {item && <Make key={item} txid={item} />}
      <Check />
    </>
  );
}

function Make({ txid }: { txid: string }) {
  const texts = receiptsTexts();
  const [made, setMade] = useState<readonly Made[]>([]);
  const make = async (typed: Typed) => {
    const label = typed('label').trim();
    setMade((await call('receipts.create', { txid, ...(label === '' ? {} : { label }) })).receipts);
    store.announce(texts.made);
  };
  return (
    <Card title={texts.makeTitle}>
      <Hint text={texts.makeHelp} />
      <Notice text={texts.notWho} />
      <Facts rows={[[activityTexts().transaction, <code key="txid" children={txid} />]]} />
      <Form submit={texts.make} act={make} onInput={() => setMade([])}>
        <Field kind="label" name="label" label={texts.label} help={texts.labelHelp} />
      </Form>
      {made.length > 1 && <Whole made={made} />}
      {made.map((one) => (
        <One key={one.receipt} made={one} />
      ))}
    </Card>
  );
}

function Whole({ made }: { made: readonly Made[] }) {
  const texts = receiptsTexts();
  const sum = made.reduce((all, { value_zatoshi: value }) => all + value, 0);
  return (
    <div class="part">
      <Hint text={texts.whole(formats.counted(made.length, 'output'), formats.amountText(sum))} />
      <Actions>
        <CopyButton what={texts.allReceipts} text={made.map(({ receipt }) => receipt).join('\n')} />
      </Actions>
    </div>
  );
}

function One({ made: { receipt, ...shown } }: { made: Made }) {
  const texts = receiptsTexts();
  const outline = lineOutline(receipt);
  return (
    <div class="part">
      <Opened {...shown} />
      <Boxed text={receipt} />
      <Actions>
        <CopyButton what={texts.theReceipt} text={receipt} />
      </Actions>
      <Details summary={texts.showCode}>
        {outline ? <QrCode outline={outline} label={texts.code} /> : <Hint text={texts.tooLong} />}
      </Details>
    </div>
  );
}

type OpenedProps = Pick<Made, 'memo' | 'label'> & {
  value_zatoshi: number | null;
  recipient: string | null;
  more?: readonly (Fact | false)[];
};

/** What a receipt shows of its output; nothing of it where the output was not opened. */
function Opened({ value_zatoshi: value, recipient, memo, label, more = [] }: OpenedProps) {
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

function Check() {
  const texts = receiptsTexts();
  const [verdicts, setVerdicts] = useState<readonly Verdict[]>([]);
  const check = async (typed: Typed) => {
    setVerdicts([]);
    const text = typed('receipt');
    if (receiptsIn(text).length === 0) throw new Objection(texts.noReceipt, 'receipt');
    const found = await checkReceipts(call, text, typed('transaction'));
    setVerdicts(found);
    store.announce(found.map((one) => verdictWords(one).name).join(', '));
  };
  const isSum = verdicts.length > 1 && provedZatoshi(verdicts) > 0;
  return (
    <Card title={texts.checkOne}>
      <Hint text={texts.checkHelp} />
      <Form submit={texts.check} act={check} onInput={() => setVerdicts([])}>
        <Field kind="area" name="receipt" label={texts.receipt} />
        <Details summary={texts.unasked}>
          <Field kind="area" name="transaction" label={texts.transaction} help={texts.transactionHelp} />
        </Details>
      </Form>
      {verdicts.map((verdict, index) => (
        <Result key={index} verdict={verdict} />
      ))}
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
      {verdict.kind === 'checked' && <Opened {...verdict.answer} more={placeOf(verdict)} />}
    </div>
  );
}

function placeOf({ answer }: Extract<Verdict, { kind: 'checked' }>): readonly (Fact | false)[] {
  const { mined_height: height, confirmations, signed, issuer_pubkey: key } = answer;
  return [
    height !== null && [
      activityTexts().block,
      payTexts().minedIn(formats.count(height), formats.counted(confirmations ?? 0, 'confirmation')),
    ],
    [receiptsTexts().network, sharedTexts().networks[answer.network]],
    [activityTexts().transaction, <code key="txid" children={answer.txid} />],
    signed && key !== null && [receiptsTexts().signedBy, <code key="key" children={key} />],
  ];
}
