// What a PCZT pays, and what is usual for its size (ZIP 317).
import { ACTION_POOLS, POOLS } from '../pools.ts';
import type { TransparentInput, TransparentOutput } from './layout.ts';
import type { Pczt } from './pczt.ts';

const MARGINAL_FEE = 5000n;
const GRACE_ACTIONS = 2;
/** ZIP 317: the sizes of a P2PKH input and output. */
const INPUT_SIZE = 150;
const OUTPUT_SIZE = 34;
/** Outpoint, length of the script and sequence. */
const INPUT_SIZE_WITHOUT_SCRIPT = 41;

/** Zatoshi; negative where more is paid than spent. */
export function feeOf(pczt: Pczt): bigint {
  const { inputs, outputs } = pczt.transparent;
  let fee = 0n;
  for (const pool of POOLS) fee += pczt[pool].valueSum;
  for (const { value } of inputs) fee += value;
  for (const { value } of outputs) fee -= value;
  return fee;
}

export function conventionalFee(pczt: Pczt): bigint {
  const { transparent, sapling } = pczt;
  const inputBytes = transparent.inputs.reduce((sum, input) => sum + inputSize(input), 0);
  const outputBytes = transparent.outputs.reduce((sum, output) => sum + outputSize(output), 0);
  const actions =
    Math.max(Math.ceil(inputBytes / INPUT_SIZE), Math.ceil(outputBytes / OUTPUT_SIZE)) +
    Math.max(sapling.spends.length, sapling.outputs.length) +
    ACTION_POOLS.reduce((sum, pool) => sum + pczt[pool].actions.length, 0);
  return MARGINAL_FEE * BigInt(Math.max(GRACE_ACTIONS, actions));
}

/** Before its signatures are there it is taken for a P2PKH input, the least that there is. */
function inputSize({ scriptSig }: TransparentInput): number {
  return scriptSig === undefined ? INPUT_SIZE : INPUT_SIZE_WITHOUT_SCRIPT + scriptSig.length;
}

const outputSize = ({ scriptPubkey }: TransparentOutput): number => 9 + scriptPubkey.length;
