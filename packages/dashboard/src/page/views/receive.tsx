// An address as text and QR code, with an optional amount and memo. Every address belongs to this wallet; a separate
// address with a label for each payer distinguishes the payers.

import type { Input, Output } from '@wallet-companion/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { qrOutline } from '../../model/qrCode.ts';
import { useApp } from '../parts/app.ts';
import { useAnswer } from '../parts/calls.ts';
import { CopyButton } from '../parts/copy.tsx';
import { ActionButton, AmountField, Form, TextField, type Typed, typedZatoshi } from '../parts/form.tsx';
import { Actions, Card, Details } from '../parts/layout.tsx';
import { Boxed, Hint, Problem } from '../parts/text.tsx';

type Address = Output<'address.get'>;
type Label = Output<'labels.list'>['labels'][number];

export function Receive() {
  const { call, store } = useApp();
  const [{ value: address, problem }, setAddress] = useAnswer(() => call('address.get'), []);
  const next = async () => {
    setAddress(await call('address.next'));
    store.say('A new address is shown.');
  };
  const show = async ({ account, diversifier_index }: Label) => {
    setAddress(await call('address.get', { account, diversifier_index }));
    store.say('The address is shown.');
  };
  return (
    <div class="columns">
      <div>
        <Card title="Your address">
          <Hint text="Whoever has this address can pay you, and cannot see what you have. It stays valid." />
          <Problem text={problem} />
          {address ? <Addresses {...address} /> : problem === undefined && <Hint text="Reading…" />}
          <Actions>
            <ActionButton text="New address" act={next} />
          </Actions>
        </Card>
        <Card title="Labels">{address && <Labels index={address.diversifier_index} show={show} />}</Card>
      </div>
      <div>{address && <Request index={address.diversifier_index} />}</div>
    </div>
  );
}

function Addresses({ unified_address: unified, sapling_address: sapling }: Address) {
  return (
    <>
      <Copied text={unified} what="the address" />
      {sapling !== null && (
        <Details summary="For a payer with an older wallet">
          <Hint text="The Sapling address of the same wallet. Use it only where the one above is not understood." />
          <Copied text={sapling} what="the Sapling address" />
        </Details>
      )}
    </>
  );
}

function Copied({ text, what }: { text: string; what: string }) {
  return (
    <>
      <Boxed text={text} />
      <Actions>
        <CopyButton what={what} text={text} />
      </Actions>
    </>
  );
}

function Labels({ index, show }: { index: string; show: (label: Label) => Promise<void> }) {
  const { call } = useApp();
  const place = useRef<HTMLDivElement>(null);
  const [{ value, problem }, setLabels] = useAnswer(() => call('labels.list'), [index]);
  const [said, setSaid] = useState('');
  const labels = value?.labels;
  const input = () => place.current!.querySelector('input')!;
  useEffect(() => {
    setSaid('');
    input().value = '';
  }, [index]);
  useEffect(() => {
    // The user may already type while the request runs.
    if (input().value !== '') return;
    input().value = labels?.find(({ diversifier_index }) => diversifier_index === index)?.label ?? '';
  }, [index, labels]);
  const save = async (typed: Typed) => {
    setSaid('');
    const label = typed('label').trim();
    if (label === '') await call('labels.remove', { diversifier_index: index });
    else await call('labels.set', { diversifier_index: index, label });
    if (input().value.trim() === label) input().value = label;
    setLabels(await call('labels.list'));
    setSaid('Saved.');
  };
  return (
    <div ref={place}>
      <Form submit="Save the label" buttonClass="quiet" act={save}>
        <TextField
          name="label"
          label="Label"
          maxLength={100}
          help="For you alone: who pays at this address, or what for."
        />
      </Form>
      <p class="hint" role="status">
        {said}
      </p>
      <Problem text={problem} />
      {labels?.length === 0 && <Hint text="No address has a label yet." />}
      <ul class="labels">
        {labels?.map((entry) => (
          <li key={entry.diversifier_index}>
            <span dir="auto">{entry.label}</span>
            <ActionButton text="Show" class="quiet small" act={() => show(entry)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

type Asked = Pick<Input<'payment_uri.qr'>, 'zatoshi' | 'memo'>;

function Request({ index }: { index: string }) {
  const { call, formats, store } = useApp();
  const read = async (asked: Asked, isPlain: boolean) => {
    const address = { diversifier_index: index, format: 'text' } as const;
    return { ...(await call('payment_uri.qr', { ...address, ...asked })), isPlain };
  };
  const [{ value, problem }, setCode] = useAnswer(() => read({}, true), [index]);
  const ask = async (typed: Typed) => {
    const amount = typed('amount').trim() === '' ? {} : { zatoshi: typedZatoshi(typed, formats) };
    const memo = typed('memo') === '' ? {} : { memo: typed('memo') };
    const asked = { ...amount, ...memo };
    setCode(await read(asked, Object.keys(asked).length === 0));
    store.say('The request is shown.');
  };
  return (
    <>
      <Card title="QR code">
        <Problem text={problem} />
        {value && (
          <QrCode
            image={value.image}
            label={value.isPlain ? 'QR code of the address' : 'QR code of the request'}
          />
        )}
        {value?.isPlain === false && <Copied text={value.uri} what="the request" />}
      </Card>
      <Card title="Ask for an amount">
        <Form submit="Make the request" buttonClass="quiet" act={ask}>
          <AmountField help="In ZEC. Left empty, the payer chooses." />
          <TextField
            name="memo"
            label="Memo"
            maxLength={512}
            help="Comes back with the payment. Only you and the payer can read it."
          />
        </Form>
      </Card>
    </>
  );
}

/** Dark on light in both themes, because cameras expect that. */
function QrCode({ image, label }: { image: string; label: string }) {
  const { width, path } = qrOutline(image);
  return (
    <div class="qr">
      <svg viewBox={`0 0 ${width} ${width}`} role="img" aria-label={label} shape-rendering="crispEdges">
        <path d={path} />
      </svg>
    </div>
  );
}
