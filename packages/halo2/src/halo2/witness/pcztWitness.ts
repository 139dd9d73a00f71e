// The witnesses of a PCZT's actions, from what its earlier roles filled in.
import { equalBytes, FormatError, wipe } from '@wallet-companion/base/bytes';
import type { ActionBundle, Pczt } from '@wallet-companion/pczt/pczt';
import { mayCrossAddresses } from '@wallet-companion/pczt/pcztRoles';
import {
  decodeInteger32,
  diversifyHashOrchard,
  encodeInteger32,
  encodePallas,
  multiplyPallas,
  PALLAS_BASE,
  PALLAS_SCALAR_ORDER,
  type PallasPoint,
  tryDecodePallas,
} from '@wallet-companion/zcash/curves';
import { orchardScopeKeys, parseOrchardFullViewingKey } from '@wallet-companion/zcash/keys';
import { leadByteOf, orchardNoteSecrets } from '@wallet-companion/zcash/notes';
import type { ActionPool } from '@wallet-companion/zcash/pools';
import {
  type ActionInputs,
  type ActionWitness,
  createActionWitness,
  type PublicInputs,
} from './actionWitness.ts';
import type { WitnessNote } from './noteCommitment.ts';
import { UnprovableError } from './unprovable.ts';
import type { WitnessCircuit } from './witnessCircuit.ts';

type Action = ActionBundle['actions'][number];

const DIVERSIFIER_BYTES = 11;
const ENABLES_SPENDS = 0b01;
const ENABLES_OUTPUTS = 0b10;

/**
 * In the order of the actions; each is made when it is asked for, and its table is the caller's to wipe. UnprovableError where
 * an action has none.
 */
export function* witnessesOf(
  circuit: WitnessCircuit,
  pczt: Pczt,
  pool: ActionPool,
): Generator<ActionWitness> {
  for (const action of pczt[pool].actions) {
    const witness = createActionWitness(circuit, inputsOf(pczt, pool, action));
    try {
      checkStated(action, witness.instance);
    } catch (error) {
      wipe(witness.advice);
      throw error;
    }
    yield witness;
  }
}

function inputsOf(pczt: Pczt, pool: ActionPool, action: Action): ActionInputs {
  const { flags, anchor } = pczt[pool];
  const { spend, output } = action;
  const fvk = given(spend.fvk, 'viewing key');
  const key = viewingKey(fvk);
  const spent = noteOf(pool, spend, given(spend.rho, 'rho'));
  const { position, path } = given(spend.witness, 'Merkle path');
  return {
    spent,
    ak: given(tryDecodePallas(fvk), 'spend validating key'),
    nk: key.nk,
    rivk: rivkOf(key, spent),
    path: { position, siblings: integersOf(path).map((sibling) => below(sibling, PALLAS_BASE.order)) },
    alpha: scalarOf(spend.alpha, 'alpha'),
    created: noteOf(pool, output, spend.nullifier),
    rcv: scalarOf(action.rcv, 'rcv'),
    anchor: below(decodeInteger32(given(anchor, 'anchor')), PALLAS_BASE.order),
    enablesSpends: (flags & ENABLES_SPENDS) !== 0,
    enablesOutputs: (flags & ENABLES_OUTPUTS) !== 0,
    disablesCrossAddress: !mayCrossAddresses(pczt, pool),
  };
}

function given<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new UnprovableError(`an action lacks its ${name}`);
  return value;
}

function below(value: bigint, order: bigint): bigint {
  if (value >= order) throw new UnprovableError('an action has a number that is not canonical');
  return value;
}

const scalarOf = (bytes: Uint8Array | undefined, name: string): bigint =>
  below(decodeInteger32(given(bytes, name)), PALLAS_SCALAR_ORDER);

const integersOf = (bytes: Uint8Array): bigint[] =>
  Array.from({ length: bytes.length / 32 }, (_, i) => decodeInteger32(bytes, i * 32));

function noteOf(
  pool: ActionPool,
  described: Pick<Action['output'], 'recipient' | 'value' | 'rseed'>,
  rho: Uint8Array,
): WitnessNote {
  const recipient = given(described.recipient, 'recipient');
  const value = given(described.value, 'value');
  const rseed = given(described.rseed, 'rseed');
  const diversifier = recipient.subarray(0, DIVERSIFIER_BYTES);
  const gd = diversifyHashOrchard(diversifier);
  const pkd = given(tryDecodePallas(recipient, DIVERSIFIER_BYTES), 'recipient');
  const plaintext = { leadByte: leadByteOf(pool), diversifier, value, rseed };
  const rhoElement = below(decodeInteger32(rho), PALLAS_BASE.order);
  return { gd, pkd, value, rho: rhoElement, ...orchardNoteSecrets(pool, plaintext, gd, pkd, rho) };
}

type ViewingKey = ReturnType<typeof parseOrchardFullViewingKey>;

function viewingKey(fvk: Uint8Array): ViewingKey {
  try {
    return parseOrchardFullViewingKey(fvk);
  } catch (error) {
    if (error instanceof FormatError) throw new UnprovableError('an action’s viewing key is not valid');
    throw error;
  }
}

/** The key of the scope whose incoming key has the address. */
function rivkOf(key: ViewingKey, { gd, pkd }: { gd: PallasPoint; pkd: PallasPoint }): bigint {
  for (const scope of ['external', 'internal'] as const) {
    const { rivk, ivk } = orchardScopeKeys(key, scope);
    const product = multiplyPallas(gd, decodeInteger32(ivk));
    if (product?.x === pkd.x && product.y === pkd.y) return decodeInteger32(rivk);
  }
  throw new UnprovableError('a spent note is at another key’s address');
}

/** That the witness is of what the transaction will state. A value that was left out is another role's to restore. */
function checkStated({ cvNet, spend, output }: Action, instance: PublicInputs): void {
  const expect = (stated: Uint8Array | undefined, made: Uint8Array, name: string): void => {
    if (stated !== undefined && !equalBytes(stated, made))
      throw new UnprovableError(`an action’s ${name} does not fit its notes and key`);
  };
  const [, cvX, cvY, nullifier, rkX, rkY, cmx] = instance;
  // The identity, whose coordinates are 0 in the circuit, has zeros alone as its encoding.
  expect(cvNet, encodePallas({ x: cvX, y: cvY }), 'value commitment');
  expect(spend.nullifier, encodeInteger32(nullifier), 'nullifier');
  expect(spend.rk, encodePallas({ x: rkX, y: rkY }), 'randomized key');
  expect(output.cmx, encodeInteger32(cmx), 'note commitment');
}
