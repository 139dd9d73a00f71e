// Who signs a payment: the program or allowance signer of config.json, the wallet's device, or the wallet itself with its phrase. Whoever does, the
// signatures come in by one way (returned.ts).

import { EXTENSION_ORIGIN } from '@wallet-companion/client/contract';
import { badField, CompanionError } from '../../../protocol/errors.ts';
import type { SIGNERS } from '../../../protocol/fields.ts';
import type { Caller, HandledInput, Output } from '../../../protocol/operations.ts';
import type { Session } from '../session/session.ts';
import { signsItself } from '../session/signerFacts.ts';
import { OwnSigning } from './ownSigning.ts';
import type { SpendingContext } from './proposalContext.ts';
import type { TakenFor } from './returned.ts';

type SignerKind = (typeof SIGNERS)[number];
type SignerChoice = Pick<HandledInput<'payments.sign'>, 'signer' | 'password'>;

export class SignerDoor {
  readonly #context: SpendingContext;
  readonly #own: OwnSigning;

  constructor(context: SpendingContext) {
    this.#context = context;
    this.#own = new OwnSigning(context, context.params, context.returns);
  }

  async sign(input: HandledInput<'payments.sign'>, caller: Caller): Promise<Output<'payments.sign'>> {
    const { payment_id: id, txid } = input;
    const { payments, sessions, signing } = this.#context;
    // A password has opened it, and was right.
    const session = sessions.use();
    const { payment } = payments.request(session, id, 'sign');
    if (txid !== undefined && txid !== payment.txid) throw anotherTransaction(payment.txid);
    return signing.sign(session, id, () => this.#signed(session, input, caller));
  }

  /** What would refuse to sign any payment, thrown before one is prepared: `NO_SIGNER`, `GRANT_SCOPE`, `INVALID_REQUEST`. */
  requireSigner(session: Session, { signer, password }: SignerChoice, caller: Caller): void {
    const kind = signer ?? this.#first(session);
    if (kind === 'device') throw signsElsewhere(session);
    if (kind === 'program') {
      if (this.#config.signer === null) throw noSigner(NO_PROGRAM);
      return;
    }
    this.#requireOwn(session, caller);
    if (password === undefined)
      throw badField('password', 'is needed: the wallet itself signs this payment, with its phrase');
  }

  #signed(session: Session, input: HandledInput<'payments.sign'>, caller: Caller): Promise<TakenFor> {
    const { payment_id: id, signer = this.#first(session), password, txid } = input;
    if (signer === 'program') return this.#context.signing.byProgram(session, id);
    this.requireSigner(session, input, caller);
    if (txid === undefined) throw badField('txid', 'is needed: the transaction that the password is for');
    return this.#own.sign(session, id, password!);
  }

  /** The first of those that the wallet has. */
  #first({ book, header }: Session): SignerKind {
    if (this.#config.signer !== null) return 'program';
    if (book.device !== undefined) return 'device';
    return signsItself(header, this.#config) ? 'own' : 'program';
  }

  /** Throws `NO_SIGNER`, and `GRANT_SCOPE` for callers that are not the person with the password. */
  #requireOwn({ header }: Session, { grant, origin }: Caller): void {
    if (header.watchOnly)
      throw noSigner('The wallet was made from a viewing key and has no phrase to sign with.');
    if (!this.#config.own_signer)
      throw noSigner('The wallet does not sign here: own_signer is false in config.json.');
    if (grant === undefined && (origin === undefined || !EXTENSION_ORIGIN.test(origin))) return;
    throw new CompanionError(
      'GRANT_SCOPE',
      "The wallet's own phrase signs for the owner alone: on the command line of this machine, or in the dashboard.",
      { errors: [{ path: 'signer', message: 'is open to the owner alone' }] },
    );
  }

  get #config() {
    return this.#context.environment.configFile.get();
  }
}

const NO_PROGRAM =
  'No program that signs is configured: name one as "signer" in config.json, or choose another signer.';

const noSigner = (text: string): CompanionError => new CompanionError('NO_SIGNER', text);

const signsElsewhere = ({ book: { device } }: Session): CompanionError =>
  noSigner(
    device === undefined
      ? 'No device signs for this wallet: name it with wallet.device, or choose another signer.'
      : 'A device signs for this wallet: hand it the payment (pay pczt), and combine what comes back. Or choose another signer.',
  );

const anotherTransaction = (txid: string): CompanionError =>
  new CompanionError(
    'PCZT_CHANGED',
    `The payment is another transaction (${txid}) than the one that was shown. Nothing was signed: look at it again.`,
    { errors: [{ path: 'txid', message: 'is not that of the payment' }] },
  );
