// One note's witness, in the form that programs read.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { asTxIdHex, blockHashToHex, noteKey } from '@wallet-companion/zcash/identifiers';
import { CompanionError } from '../../../protocol/errors.ts';
import type { FeatureHandlers, Input, Output } from '../../../protocol/operations.ts';
import type { StoredNote } from '../ports/storedNote.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from '../session/session.ts';
import type { SessionContext } from '../session/sessions.ts';
import { blockSource } from '../source/blockSource.ts';
import type { WitnessMaker } from './witnesses.ts';

export const witnessHandlers = ({
  environment,
  sessions,
  witnesses,
}: SessionContext & { readonly witnesses: WitnessMaker }): FeatureHandlers<'witnesses'> => ({
  'notes.witness': (input) => noteWitness(environment, sessions.use(), witnesses, input),
});

async function noteWitness(
  environment: WalletEnvironment,
  session: Session,
  maker: WitnessMaker,
  input: Input<'notes.witness'>,
): Promise<Output<'notes.witness'>> {
  const note = namedNote(session, input);
  const { anchor_height = maker.usualAnchor(session) } = input;
  const source = await blockSource(environment, input.source);
  const { blockHash, roots, notes } = await maker.witnesses(session, [note], anchor_height, { source });
  const [{ leaf, path }] = notes as readonly [(typeof notes)[number]];
  return {
    account: note.account,
    pool: note.pool,
    txid: note.txid,
    output_index: note.outputIndex,
    height: note.height,
    commitment: bytesToHex(leaf),
    position: note.position,
    path: path.siblings.map(bytesToHex),
    root: bytesToHex(roots[note.pool]),
    anchor_height,
    anchor_hash: blockHashToHex(blockHash),
  };
}

/** Two accounts never share an output. */
function namedNote(session: Session, input: Input<'notes.witness'>): StoredNote {
  const { txid, pool, output_index: outputIndex } = input;
  const named = { txid: asTxIdHex(txid), pool, outputIndex };
  for (const { index: account } of session.accounts) {
    const note = session.noteStore.note(noteKey({ ...named, account }));
    if (note !== undefined) return note;
  }
  throw new CompanionError('NOT_FOUND', 'The wallet has no such note. GET /api/notes lists them.');
}
