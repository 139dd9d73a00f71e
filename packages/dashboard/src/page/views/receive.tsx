// An address as text and QR code, with an optional amount and memo. Every address belongs to this wallet; a separate
// address with a label for each payer distinguishes the payers.

import type { Input, Output } from '@wallet-companion/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { qrOutline } from '../../model/qrCode.ts';
import { receiveTexts } from '../../texts/receive.ts';
import { sharedTexts } from '../../texts/shared.ts';
import { call, store } from '../live/app.ts';
import { ActionButton, AmountField, Field, Form, type Typed, typedZatoshi } from '../parts/form.tsx';
import { useAnswer } from '../parts/hooks.ts';
import { Actions, Card, Columns, Details } from '../parts/layout.tsx';
import { QrCode } from '../parts/qr.tsx';
import { Boxed, CopyButton, Hint, Problem } from '../parts/text.tsx';

type Label = Output<'labels.list'>['labels'][number];

export function Receive() {
  const texts = receiveTexts();
  const [{ value: address, problem }, setAddress] = useAnswer(() => call('address.get'), []);
  const next = async () => {
    setAddress(await call('address.next'));
    store.announce(texts.newShown);
  };
  const show = async ({ account, diversifier_index }: Label) => {
    setAddress(await call('address.get', { account, diversifier_index }));
    store.announce(texts.addressShown);
  };
  const { unified_address: unified, sapling_address: sapling, diversifier_index: index } = address ?? {};
  return (
    <Columns>
      <Card title={texts.yourAddress}>
        <Hint text={texts.addressHelp} />
        <Problem text={problem} />
        <Hint text={unified || problem ? '' : sharedTexts().reading} />
        {unified && <Copied text={unified} what={texts.theAddress} />}
        {sapling && (
          <Details summary={texts.olderWallet}>
            <Hint text={texts.saplingHelp} />
            <Copied text={sapling} what={texts.saplingAddress} />
          </Details>
        )}
        <Actions>
          <ActionButton text={texts.newAddress} act={next} />
        </Actions>
      </Card>
      {index && <Labels index={index} show={show} />}
      {index && <Request index={index} />}
    </Columns>
  );
}

const Copied = ({ text, what }: { text: string; what: string }) => (
  <>
    <Boxed text={text} />
    <Actions>
      <CopyButton what={what} text={text} />
    </Actions>
  </>
);

function Labels({ index, show }: { index: string; show: (label: Label) => Promise<void> }) {
  const texts = receiveTexts();
  const place = useRef<HTMLDivElement>(null);
  const [{ value, problem }, setLabels] = useAnswer(() => call('labels.list'), [index]);
  const [announcement, setAnnouncement] = useState('');
  const labels = value?.labels;
  const input = () => place.current!.querySelector('input')!;
  useEffect(() => {
    setAnnouncement('');
    input().value = '';
  }, [index]);
  useEffect(() => {
    const own = labels?.find(({ diversifier_index }) => diversifier_index === index)?.label ?? '';
    // The user may already type while the request runs.
    if (input().value === '') input().value = own;
  }, [index, labels]);
  const save = async (typed: Typed) => {
    setAnnouncement('');
    const label = typed('label').trim();
    if (label === '') await call('labels.remove', { diversifier_index: index });
    else await call('labels.set', { diversifier_index: index, label });
    if (input().value.trim() === label) input().value = label;
    setLabels(await call('labels.list'));
    setAnnouncement(texts.saved);
  };
  return (
    <div ref={place}>
      <Card title={texts.labels}>
        <Form submit={texts.saveLabel} class="quiet" act={save}>
          <Field kind="label" name="label" label={texts.label} help={texts.labelHelp} />
        </Form>
        <p class="hint" role="status" children={announcement} />
        <Problem text={problem} />
        {labels?.length === 0 && <Hint text={texts.noLabels} />}
        <ul class="labels">
          {labels?.map((entry) => (
            <li key={entry.diversifier_index}>
              <span dir="auto">{entry.label}</span>
              <ActionButton text={texts.show} class="quiet small" act={() => show(entry)} />
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}

function Request({ index }: { index: string }) {
  const texts = receiveTexts();
  const read = async (asked: Pick<Input<'payment_uri.qr'>, 'zatoshi' | 'memo'>) => {
    const code = await call('payment_uri.qr', { diversifier_index: index, format: 'text', ...asked });
    return { ...code, index, isPlain: Object.keys(asked).length === 0 };
  };
  const [{ value, problem }, setCode] = useAnswer(() => read({}), [index]);
  const code = value?.index === index ? value : undefined;
  const ask = async (typed: Typed) => {
    const amount = typed('amount').trim() === '' ? {} : { zatoshi: typedZatoshi(typed) };
    setCode(await read({ ...amount, ...(typed('memo') === '' ? {} : { memo: typed('memo') }) }));
    store.announce(texts.requestShown);
  };
  return (
    <>
      <Card title={texts.code}>
        <Problem text={problem} />
        {code && (
          <QrCode
            outline={qrOutline(code.image)}
            label={code.isPlain ? texts.addressCode : texts.requestCode}
          />
        )}
        {code?.isPlain === false && <Copied text={code.uri} what={texts.theRequest} />}
      </Card>
      <Card title={texts.askAmount}>
        <Form submit={texts.makeRequest} class="quiet" act={ask}>
          <AmountField help={texts.amountHelp} />
          <Field kind="memo" name="memo" label={texts.memo} help={texts.memoHelp} />
        </Form>
      </Card>
    </>
  );
}
