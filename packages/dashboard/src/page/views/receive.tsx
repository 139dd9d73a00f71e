// An address as text and QR code, with an optional amount and memo. Every address belongs to this wallet; a separate
// address with a label for each payer distinguishes the payers.

import type { Input, Output } from '@wallet-companion/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { qrOutline } from '../../model/qrCode.ts';
import { call, store } from '../live/app.ts';
import { ActionButton, AmountField, Field, Form, type Typed, typedZatoshi } from '../parts/form.tsx';
import { useAnswer } from '../parts/hooks.ts';
import { Actions, Card, Columns, Details } from '../parts/layout.tsx';
import { QrCode } from '../parts/qr.tsx';
import { Boxed, CopyButton, Hint, Problem } from '../parts/text.tsx';

const LABEL_HELP = 'For you alone: who pays at this address, or what for.';

type Label = Output<'labels.list'>['labels'][number];

export function Receive() {
  const [{ value: address, problem }, setAddress] = useAnswer(() => call('address.get'), []);
  const next = async () => {
    setAddress(await call('address.next'));
    store.announce('A new address is shown.');
  };
  const show = async ({ account, diversifier_index }: Label) => {
    setAddress(await call('address.get', { account, diversifier_index }));
    store.announce('The address is shown.');
  };
  const { unified_address: unified, sapling_address: sapling, diversifier_index: index } = address ?? {};
  return (
    <Columns>
      <Card title="Your address">
        <Hint text="Anyone who has this address can pay you, and cannot see what you have. It stays valid." />
        <Problem text={problem} />
        <Hint text={unified || problem ? '' : 'Reading…'} />
        {unified && <Copied text={unified} what="the address" />}
        {sapling && (
          <Details summary="For a payer with an older wallet">
            <Hint text="The Sapling address of the same wallet. Use it only where the one above is not understood." />
            <Copied text={sapling} what="the Sapling address" />
          </Details>
        )}
        <Actions>
          <ActionButton text="New address" act={next} />
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
    setAnnouncement('Saved.');
  };
  return (
    <div ref={place}>
      <Card title="Labels">
        <Form submit="Save the label" class="quiet" act={save}>
          <Field kind="label" name="label" label="Label" help={LABEL_HELP} />
        </Form>
        <p class="hint" role="status" children={announcement} />
        <Problem text={problem} />
        {labels?.length === 0 && (
          <Hint text="No address has a label yet. Write above who pays at this one." />
        )}
        <ul class="labels">
          {labels?.map((entry) => (
            <li key={entry.diversifier_index}>
              <span dir="auto">{entry.label}</span>
              <ActionButton text="Show" class="quiet small" act={() => show(entry)} />
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}

function Request({ index }: { index: string }) {
  const read = async (asked: Pick<Input<'payment_uri.qr'>, 'zatoshi' | 'memo'>) => {
    const code = await call('payment_uri.qr', { diversifier_index: index, format: 'text', ...asked });
    return { ...code, index, isPlain: Object.keys(asked).length === 0 };
  };
  const [{ value, problem }, setCode] = useAnswer(() => read({}), [index]);
  const code = value?.index === index ? value : undefined;
  const ask = async (typed: Typed) => {
    const amount = typed('amount').trim() === '' ? {} : { zatoshi: typedZatoshi(typed) };
    setCode(await read({ ...amount, ...(typed('memo') === '' ? {} : { memo: typed('memo') }) }));
    store.announce('The request is shown.');
  };
  const help = 'Comes back with the payment. Only you and the payer can read it.';
  return (
    <>
      <Card title="QR code">
        <Problem text={problem} />
        {code && (
          <QrCode
            outline={qrOutline(code.image)}
            label={`QR code of the ${code.isPlain ? 'address' : 'request'}`}
          />
        )}
        {code?.isPlain === false && <Copied text={code.uri} what="the request" />}
      </Card>
      <Card title="Ask for an amount">
        <Form submit="Make the request" class="quiet" act={ask}>
          <AmountField help="In ZEC. Left empty, the payer chooses." />
          <Field kind="memo" name="memo" label="Memo" help={help} />
        </Form>
      </Card>
    </>
  );
}
