// Several payments for a device at once: it shows them one after the other, and answers with bare signatures.

import { useState } from 'preact/hooks';
import { batchMessage, type Ur } from '../../model/movingCode.ts';
import { movedZatoshi, type Payment, possible } from '../../model/payments.ts';
import { payTexts } from '../../texts/pay.ts';
import { call, deviceHref, formats, isWindow } from '../live/app.ts';
import { inOwnTab } from '../live/token.ts';
import { ActionButton, Check } from './form.tsx';
import { Actions, Details } from './layout.tsx';
import { MovingCode } from './qr.tsx';
import { Hint } from './text.tsx';

export function Batch({ payments }: { payments: readonly Payment[] }) {
  const texts = payTexts();
  const [left, setLeft] = useState<readonly string[]>([]);
  const [coded, setCoded] = useState<{ ids: readonly string[]; message: Ur }>();
  const open = payments.filter((payment) => possible(payment).signing);
  const ids = open.map(({ payment_id: id }) => id).filter((id) => !left.includes(id));
  if (open.length < 2) return null;
  const show = async () => {
    const message = batchMessage(await call('payments.batch', { payment_ids: [...ids] }));
    setCoded({ ids, message });
  };
  const choose = (id: string, isOn: boolean) => {
    setCoded(undefined);
    setLeft([...left.filter((one) => one !== id), ...(isOn ? [] : [id])]);
  };
  return (
    <Details summary={texts.batch}>
      <Hint text={texts.batchHint} />
      {open.map((payment) => (
        <Check
          key={payment.payment_id}
          text={textOf(payment)}
          isOn={!left.includes(payment.payment_id)}
          check={(isOn) => choose(payment.payment_id, isOn)}
        />
      ))}
      <Actions>
        <ActionButton text={texts.batchShow} class="quiet" act={show} />
      </Actions>
      {coded && <MovingCode message={coded.message} />}
      {coded && !isWindow && (
        <p>
          <a href={deviceHref({ page: 'batch', item: coded.ids.join('+') })} {...inOwnTab()}>
            {texts.batchScan}
          </a>
        </p>
      )}
    </Details>
  );
}

/** As in the list of payments; the device shows them whole. */
const textOf = (payment: Payment): string =>
  payTexts().item(formats.amountText(movedZatoshi(payment)), formats.moment(payment.created_at));
