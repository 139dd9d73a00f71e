// Receipts for payments: "I paid you, here", made for what a transaction of the wallet paid to others; and the check of any receipt.

import { useState } from 'preact/hooks';
import { placeIn } from '../../model/place.ts';
import { lineOutline } from '../../model/qrCode.ts';
import { checkReceipts, type Made } from '../../model/receipts.ts';
import { activityTexts } from '../../texts/activity.ts';
import { receiptsTexts } from '../../texts/receipts.ts';
import { call, formats, store } from '../live/app.ts';
import { Field, Form, type Typed } from '../parts/form.tsx';
import { Actions, Card, Details, Facts } from '../parts/layout.tsx';
import { QrCode } from '../parts/qr.tsx';
import { Opened, ReceiptCheck } from '../parts/receiptCheck.tsx';
import { Boxed, CopyButton, Hint, Notice } from '../parts/text.tsx';

export function Receipts() {
  const { item } = placeIn(location.hash);
  return (
    <>
      {item && <Make key={item} txid={item} />}
      <ReceiptCheck find={(...given) => checkReceipts(call, ...given)} />
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
