// The contents of a PCZT for the user who is about to sign it: recipients first, warnings last, where they are seen.

import { zecColumn } from '@wallet-companion/base/values';
import { withoutHidden } from '@wallet-companion/client/contract';
import type { Output } from '../protocol/operations.ts';
import { wrapText } from '../terminal/terminalText.ts';
import { missingLines } from './missingLines.ts';

type Inspected = Output<'pczt.inspect'>;
type Spend = Inspected['spends'][number];
type Paid = Inspected['outputs'][number];
type Amount = Paid['amount_zatoshi'];

const INDENT = '  ';

/** `width` is the terminal's, in cells. */
export function inspectionLines(seen: Inspected, width: number): string[] {
  const blocks: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['Pays', seen.outputs.filter(({ role }) => role === 'payment').flatMap(paymentLines)],
    ['Change', seen.outputs.filter(({ role }) => role === 'change').flatMap(changeLines)],
    ['Spends', seen.spends.filter(({ role }) => role === 'spend').map(spendLine)],
    ['Fee', [feeLine(seen)]],
    ['Becomes public', seen.becomes_public.statements],
    ['Can be mined', [expiryLine(seen), ...lockLines(seen)]],
    [
      'Transaction',
      [`${seen.txid ?? 'id not known yet'}, version ${seen.transaction_version}, ${seen.network_upgrade}`],
    ],
    ['Missing', waitingLines(seen)],
    ['Wallet', [walletLine(seen)]],
    ['Warnings', seen.warnings.map(({ field, text }) => (field === '' ? text : `${field}: ${text}`))],
  ];
  return blocks
    .filter(([, lines]) => lines.length > 0)
    .flatMap(([title, lines], at) => [
      ...(at === 0 ? [] : ['']),
      title,
      ...lines.flatMap((line) =>
        wrapText(withoutHidden(line), width - INDENT.length).map((part) => INDENT + part),
      ),
    ]);
}

const amountText = (amount: Amount): string =>
  amount === null ? 'an unknown amount' : `${zecColumn(amount)} ZEC`;

const unchecked = ({ verified }: Spend | Paid): string =>
  verified ? '' : ' - NOT VERIFIED: this may not be what is signed';

function paymentLines(paid: Paid): string[] {
  const to = paid.typed_address ?? paid.address ?? 'somebody who is not told';
  const who = paid.contact === null ? '' : `${paid.contact}, `;
  const own = paid.ours === true ? ` (your own account ${paid.account})` : '';
  const memo = paid.memo?.text ?? (paid.memo === null ? undefined : `(not text) ${paid.memo.hex}`);
  return [
    `${amountText(paid.amount_zatoshi)} in ${paid.pool}${own} to ${who}${to}${unchecked(paid)}`,
    ...(memo === undefined ? [] : [`with the memo: ${memo}`]),
  ];
}

function changeLines(paid: Paid): string[] {
  const whose = paid.ours === true ? `to your account ${paid.account}` : 'to the spender, it seems';
  return [`${amountText(paid.amount_zatoshi)} in ${paid.pool}, back ${whose}${unchecked(paid)}`];
}

function spendLine(spend: Spend): string {
  const whose =
    spend.ours === null ? '' : spend.ours ? `, of your account ${spend.account}` : ', which is not yours';
  const known = spend.note === 'unknown' && spend.ours !== true ? null : spend.note;
  const signed = spend.signed ? 'signed' : 'not signed yet';
  return `${amountText(spend.amount_zatoshi)} in ${spend.pool}${whose}${noteText(known)}, ${signed}${unchecked(spend)}`;
}

/** `unknown`: the wallet has not scanned that far, or it is being deceived. */
const noteText = (note: Spend['note']): string => {
  if (note === 'unknown') return ', a note that it does not know';
  return note === null ? '' : `, ${note}`;
};

function feeLine({ fee_zatoshi: fee, conventional_fee_zatoshi: usual }: Inspected): string {
  const paid = zecColumn(fee);
  return fee === usual ? `${paid} ZEC` : `${paid} ZEC; ${zecColumn(usual)} ZEC are usual`;
}

function expiryLine(seen: Inspected): string {
  const { expiry_height: expiry, last_height: last, as_of_height: height, network_upgrade: upgrade } = seen;
  if (last === null) return `until a network upgrade after ${upgrade}, whose height is not known here`;
  const why = last === expiry ? '' : ', the last one before a network upgrade';
  return `up to height ${last}${why}${height === null ? '' : `; the wallet is at ${height}`}`;
}

const lockLines = ({ lock_time: lock }: Inspected): string[] =>
  lock === 0 ? [] : [`not before ${lock ?? 'what its inputs ask for'}`];

const waitingLines = ({ missing }: Inspected): string[] =>
  missingLines(missing, ({ binding_key: key }) => (key ? ['the key of the binding signature'] : []));

const walletLine = ({ compared_with_wallet: compared }: Inspected): string =>
  compared
    ? 'compared with the open wallet'
    : 'no wallet is open, so nobody can say which of it is yours: unlock yours, or give --password-file';
