// Lists prepared payments, returns their PCZT, and discards them.

import { wipe } from '@wallet-companion/shielded/bytes';
import type { NetworkParameters } from '@wallet-companion/shielded/network';
import {
  decodePczt,
  type Encoding,
  encodePczt,
  oldestEncoding,
  type Pczt,
} from '@wallet-companion/shielded/pczt';
import { redactPczt, type View } from '@wallet-companion/shielded/pcztRoles';
import { CompanionError } from '../../../protocol/errors.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import type { MempoolWatch } from '../mempool/mempoolWatch.ts';
import { type Order, pageOf, refuseOtherCursor, sortKey } from '../notes/chainOrder.ts';
import { noteKey } from '../notes/noteBook.ts';
import { isOf } from '../notes/ofAccount.ts';
import type { ReservedBy } from '../notes/views.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { mayComeBack } from './paymentErrors.ts';
import { isOpen, type PaymentStatus, reservations, statusOf, wasSent } from './paymentState.ts';
import { type PaymentViewContext, paymentView } from './paymentView.ts';
import { withoutSignatures } from './withoutSignatures.ts';

type Reader = Output<'payments.pczt'>['reader'];

/** `anyone` gets the PCZT complete, as the wallet keeps it. */
const VIEW: Readonly<Record<Exclude<Reader, 'anyone'>, View>> = {
  signer: 'signer',
  compact_signer: 'compactSigner',
  prover: 'prover',
};

/** The latest first. */
const PAYMENT_ORDER: Order<StoredPayment> = {
  compare: (a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1),
  keyOf: ({ createdAt, id }) => sortKey(Math.floor(createdAt / 1000), createdAt % 1000, id),
};

const STILL_SENDABLE =
  'Anyone with a signed copy can still send it until it expires: its notes are free here, and of two payments that spend one note only the first is mined.';

type Environment = Pick<WalletEnvironment, 'clock' | 'configFile'>;
type OpenSessions = Pick<Sessions, 'current' | 'use' | 'exclusive'>;

export class KeptPayments {
  readonly #environment: Environment;
  readonly #params: NetworkParameters;
  readonly #sessions: OpenSessions;
  readonly #mempool: Pick<MempoolWatch, 'state'>;

  constructor(
    environment: Environment,
    params: NetworkParameters,
    sessions: OpenSessions,
    mempool: Pick<MempoolWatch, 'state'>,
  ) {
    this.#environment = environment;
    this.#params = params;
    this.#sessions = sessions;
    this.#mempool = mempool;
  }

  /** What the status of a payment depends on. Throws `WALLET_LOCKED` after the session: its payments are wiped. */
  context(session: Session): PaymentViewContext {
    if (this.#sessions.current !== session) throw lockedMeanwhile();
    return {
      noteStore: session.noteStore,
      holders: session.payments.holders,
      unmined: this.#mempool.state(session).book.unmined,
      minConfirmations: this.#environment.configFile.get().min_confirmations,
      params: this.#params,
      now: this.#environment.clock.now(),
    };
  }

  view(session: Session, payment: StoredPayment): Output<'payments.get'> {
    return paymentView(payment, this.context(session));
  }

  /** For each reserved note key, the payment that reserves it. */
  reserved(session: Session): Map<string, StoredPayment> {
    return reservations(this.context(session));
  }

  /** For a note, the id of the payment that reserves it. */
  reservedBy(session: Session): ReservedBy {
    const reserved = this.reserved(session);
    return (note) => reserved.get(noteKey(note))?.id;
  }

  list(input: Input<'payments.list'>): Output<'payments.list'> {
    refuseOtherCursor(input);
    const session = this.#sessions.use(input.account);
    const context = this.context(session);
    const isWanted = (payment: StoredPayment): boolean =>
      isOf(input.account, payment) && (input.open !== true || isOpen(payment, context));
    const sorted = session.payments.all().sort(PAYMENT_ORDER.compare);
    const { page, nextCursor } = pageOf(sorted, PAYMENT_ORDER, isWanted, input);
    return { payments: page.map((payment) => paymentView(payment, context)), next_cursor: nextCursor };
  }

  get({ payment_id }: Input<'payments.get'>): Output<'payments.get'> {
    const session = this.#sessions.use();
    return this.view(session, session.payments.get(payment_id));
  }

  pczt({ payment_id, reader = 'signer' }: Input<'payments.pczt'>): Output<'payments.pczt'> {
    const session = this.#sessions.use();
    const payment = session.payments.get(payment_id);
    const { broadcast_needs_password: isWithheld } = this.#environment.configFile.get();
    const ours = decodePczt(payment.pczt).pczt;
    const given = isWithheld ? withoutSignatures(ours) : ours;
    if (reader === 'anyone') return answerWith({ payment_id, reader }, given, payment.encoding);
    const status = statusOf(payment, this.context(session));
    if (isOver(status)) throw paymentState(`${OVER[status]} Nobody has to sign or prove it any more.`);
    const redacted = redactPczt(given, VIEW[reader]);
    return answerWith({ payment_id, reader }, redacted, oldestEncoding(redacted));
  }

  async discard({ payment_id }: Input<'payments.discard'>): Promise<Output<'payments.discard'>> {
    this.#sessions.use().payments.get(payment_id);
    return this.#sessions.exclusive(async () => {
      const session = this.#sessions.use();
      const payment = session.payments.get(payment_id);
      const status = statusOf(payment, this.context(session));
      const isUnsent = status === 'lost_note' && !wasSent(payment);
      if (status === 'prepared' || status === 'complete' || isUnsent) {
        const discardedAt = this.#environment.clock.now();
        await session.payments.update(payment_id, (payment) => ({ ...payment, discardedAt }));
      } else if (status !== 'discarded') {
        const why = isOver(status) ? OVER[status] : SENT;
        throw paymentState(`${why}${status === 'lost_note' ? mayComeBack(payment) : ''}`);
      }
      return { ...this.view(session, session.payments.get(payment_id)), warning: STILL_SENDABLE };
    });
  }
}

const SENT =
  'The payment was sent and may still be mined: its notes stay its own until it is mined or expires.';

const OVER = {
  mined: 'The payment is mined.',
  confirmed: 'The payment is mined.',
  expired: 'The payment has expired, and its notes are free again.',
  conflicted: 'Another transaction has spent a note of the payment, so it can no longer be mined.',
  lost_note:
    'A note of the payment is not on the chain any more, or a newer payment has it, so it cannot be mined.',
  discarded: 'The payment was discarded.',
} as const satisfies Partial<Record<PaymentStatus, string>>;

const isOver = (status: PaymentStatus): status is keyof typeof OVER => status in OVER;

const lockedMeanwhile = (): CompanionError =>
  new CompanionError(
    'WALLET_LOCKED',
    'The wallet was locked meanwhile. Unlock it, and see how the payment stands.',
  );

const paymentState = (why: string): CompanionError => new CompanionError('PAYMENT_STATE', why);

function answerWith(
  asked: Pick<Output<'payments.pczt'>, 'payment_id' | 'reader'>,
  pczt: Pczt,
  encoding: Encoding,
): Output<'payments.pczt'> {
  const bytes = encodePczt(pczt, encoding);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  wipe(bytes);
  return { ...asked, pczt: text, encoding };
}
