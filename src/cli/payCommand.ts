// `pay` with a recipient, as a command: the flags of `pay prepare`, and what a walk through all steps needs beside them.

import type { Command } from 'commander';
import { CompanionError } from '../protocol/errors.ts';
import type { Target } from './openedLink.ts';
import type { SecretSource } from './secrets.ts';

const UNTIL = ['mined', 'confirmed'] as const;
/** What is waited for: a block that has it, or as many as its change needs. */
export type Until = (typeof UNTIL)[number];

/** The options of the root command. */
export interface PayPlace extends Target {
  readonly json: boolean;
  readonly wallet: string | undefined;
  readonly password: SecretSource;
}

export interface PayCall extends PayPlace {
  /** Fields of `payments.prepare`, `payments.shield` or `payments.refund`, still as text; none with `resume`. */
  readonly text: readonly (readonly [string, string])[];
  readonly recipientsFile: string | undefined;
  /** Transparent funds are moved, and nobody is paid. */
  readonly shield: boolean;
  /** The invoice that is refunded. */
  readonly refund: string | undefined;
  /** The payment that is continued. */
  readonly resume: string | undefined;
  /** Undefined: as the companion has it. */
  readonly signer: string | undefined;
  /** Nothing is asked for consent. */
  readonly yes: boolean;
  /** Undefined: until it is sent. */
  readonly wait: Until | undefined;
  /** It is paid in one call, once for this key. */
  readonly idempotencyKey: string | undefined;
  /** Each line is paid in one call, once for its key. */
  readonly payoutsFile: string | undefined;
}

type Options = Readonly<Record<string, string | boolean | undefined>>;

/** `text`: the fields among the options. */
export function addPay(
  pay: Command,
  run: (call: PayCall) => Promise<void>,
  where: () => PayPlace,
  text: (options: Options) => PayCall['text'],
): void {
  pay
    .option('--resume <payment-id>', 'go on with a payment, at the first step that is not done')
    .option('--shield', "pay nobody: move the account's transparent funds to its newest pool")
    .option('--join-addresses', 'with --shield: from several addresses, seen to belong together')
    .option('--refund <invoice-id>', 'give back what came for an invoice, or --amount of it')
    .option('--signer <who>', 'who signs: program, device, or own (the wallet itself, with your password)')
    .option('--yes', 'ask for no consent: to pay, and to send')
    .option(
      '--idempotency-key <key>',
      'with --yes: pay once for this key, however often the command is repeated',
    )
    .option(
      '--payouts-file <file>',
      'with --yes: a payment for each line of a CSV file, once however often the file is run (columns address or contact, amount, memo, key)',
    )
    .option('--wait <until>', 'mined (default), or confirmed: until its change can be spent')
    .option('--no-wait', 'end when it is sent')
    // After the words of a step, `--to` and the others are flags of that step.
    .enablePositionalOptions()
    .allowExcessArguments(false)
    .action((options: Options) => run(payCall(options, where(), text(options))));
}

function payCall(options: Options, place: PayPlace, text: PayCall['text']): PayCall {
  const {
    resume,
    refund,
    recipientsFile,
    shield = false,
    joinAddresses = false,
    yes,
    signer,
    payoutsFile,
    idempotencyKey,
    wait = 'mined',
  } = options;
  // Where to read from belongs to every step.
  const isNew =
    shield === true ||
    [refund, recipientsFile, payoutsFile].some((named) => named !== undefined) ||
    text.some(([field]) => field !== 'source');
  if (isNew === (resume !== undefined))
    throw new CompanionError(
      'INVALID_REQUEST',
      'Say whom to pay (--to and --amount, --recipients-file or --payouts-file), that you shield (--shield), which invoice to refund (--refund), or which payment to continue (--resume). --help has all, and the single steps.',
    );
  if (joinAddresses === true && shield !== true)
    throw new CompanionError('INVALID_REQUEST', 'Addresses are joined with --shield alone.');
  if (refund !== undefined && (shield === true || recipientsFile !== undefined))
    throw new CompanionError('INVALID_REQUEST', 'A refund is no shielding, and has one recipient: --to.');
  const more: PayCall['text'] = [
    ...(joinAddresses === true ? [['join_addresses', 'true'] as const] : []),
    ...(refund === undefined ? [] : [['invoice_id', String(refund)] as const]),
  ];
  const until = UNTIL.find((one) => one === wait);
  if (until === undefined && wait !== false)
    throw new CompanionError(
      'INVALID_REQUEST',
      '--wait takes mined or confirmed; --no-wait ends when it is sent.',
    );
  if (idempotencyKey !== undefined || payoutsFile !== undefined) requireOneCall(options);
  return {
    ...place,
    text: [...text, ...more],
    recipientsFile: recipientsFile as string | undefined,
    shield: shield === true,
    refund: refund as string | undefined,
    resume: resume as string | undefined,
    signer: signer as string | undefined,
    yes: yes === true,
    wait: until,
    idempotencyKey: idempotencyKey as string | undefined,
    payoutsFile: payoutsFile as string | undefined,
  };
}

function requireOneCall({ yes, resume, shield, refund, ...options }: Options): void {
  const way = options['payoutsFile'] === undefined ? '--idempotency-key' : '--payouts-file';
  if (yes !== true)
    throw new CompanionError(
      'INVALID_REQUEST',
      `${way} asks nothing before it pays: give --yes as well. Without it, "pay" shows each payment first.`,
    );
  const others = way === '--payouts-file' ? (['idempotencyKey', 'recipientsFile', 'to'] as const) : [];
  const isOther = [resume, refund].some((named) => named !== undefined) || shield === true;
  if (isOther || others.some((name) => options[name] !== undefined))
    throw new CompanionError(
      'INVALID_REQUEST',
      `${way} is for new payments alone${others.length === 0 ? '' : ', and names whom to pay by itself'}.`,
    );
}
