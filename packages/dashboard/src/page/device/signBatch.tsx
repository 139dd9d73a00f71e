// The signatures of several payments, read by the camera from the answer of a device.

import { batchResultOf } from '@wallet-companion/devices/ur';
import { base64Of } from '../../model/ledgerPayment.ts';
import { takenText } from '../../model/payments.ts';
import { call, dashboardHref, formats, store } from '../live/app.ts';
import { leaveTo } from '../live/token.ts';
import { Card } from '../parts/layout.tsx';
import { Hint } from '../parts/text.tsx';
import { Scan } from './scan.tsx';

/** `ids`: in the order in which the device was shown the payments. */
export function SignBatch({ ids }: { ids: readonly string[] }) {
  const combine = async (answer: string) => {
    const { payments } = await call('payments.combine_batch', { payment_ids: [...ids], answer });
    const announcement = payments.map((payment) => takenText(payment, formats));
    store.announce(announcement[0]!);
    leaveTo(dashboardHref({ page: 'pay', item: ids[0]! }));
  };
  return (
    <Card title="The device's signatures" isFocused>
      <Hint
        text={`For ${formats.counted(ids.length, 'payment')}. After you agreed on the device, it shows its answer as codes. Hold it before the camera.`}
      />
      <Scan
        type="zcash-batch-sig-result"
        begin="Scan the device's signatures"
        take={(message) => combine(base64Of(batchResultOf(message).data))}
      />
    </Card>
  );
}
