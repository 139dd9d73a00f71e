// What can go wrong between a page and a Ledger, as a sentence for people. It has nothing of what the device answered but
// its status.

export type LedgerProblem =
  /** The PIN is missing. */
  | 'locked'
  /** The person said no on the device. */
  | 'refused'
  /** Another app is open, or none. */
  | 'app'
  /** No device was chosen, or it was unplugged. */
  | 'disconnected'
  /** The device does not accept what it was sent, or the payment is none that it could accept. */
  | 'unsupported'
  /** The answer breaks the protocol. */
  | 'answer';

export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly problem: LedgerProblem;

  constructor(problem: LedgerProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
