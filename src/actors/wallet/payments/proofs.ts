// The proofs that a PCZT lacks, made by the prover that the person has. It sees notes, amounts and the viewing key of what
// is spent, and no more; of its answer proofs alone are taken, and only where it says nothing else than it was given.

import { CompanionError } from '../../../protocol/errors.ts';
import { FormatError } from '../../../shielded/bytes.ts';
import { orchardProofSize } from '../../../shielded/encoding/orchardBundle.ts';
import { decodePczt, encodePczt, oldestEncoding } from '../../../shielded/pczt/codec.ts';
import { combinePczts } from '../../../shielded/pczt/combiner.ts';
import type { SaplingBundle } from '../../../shielded/pczt/layout.ts';
import type { Pczt } from '../../../shielded/pczt/pczt.ts';
import { redactPczt } from '../../../shielded/pczt/redactor.ts';
import { ACTION_POOLS, type ActionPool, perActionPool } from '../../../shielded/pools.ts';

import type { Prover } from '../ports/prover.ts';

export const lacksProofs = ({ sapling, ...pczt }: Pczt): boolean =>
  lacksSapling(sapling) || ACTION_POOLS.some((pool) => lacksActions(pczt[pool]));

const lacksSapling = ({ spends, outputs }: SaplingBundle): boolean =>
  [...spends, ...outputs].some(({ zkproof }) => zkproof === undefined);

const lacksActions = ({ actions, zkproof }: Pczt[ActionPool]): boolean =>
  actions.length > 0 && zkproof === undefined;

/**
 * The PCZT with all its proofs. Whether they are right is found out by the node, or by a tool that has the circuits.
 * Throws `PROOF_NEEDS_SIGNER`, and what the prover rejects with.
 */
export async function withProofs(
  pczt: Pczt,
  prover: Prover,
  stop: AbortSignal = new AbortController().signal,
): Promise<Pczt> {
  if (!lacksProofs(pczt)) return pczt;
  refuseMissingKeys(pczt.sapling);
  const asked = redactPczt(pczt, 'prover');
  const bytes = new Uint8Array(encodePczt(asked, oldestEncoding(asked)));
  const answer = await prover.prove(bytes, stop);
  try {
    return withProofsOf(pczt, decodedAnswer(asked, answer));
  } finally {
    answer.fill(0);
  }
}

/** A viewing key cannot prove a Sapling spend. */
function refuseMissingKeys({ spends }: SaplingBundle): void {
  const without = spends.filter((spend) => !spend.zkproof && !spend.proofGenerationKey).length;
  if (without === 0) return;
  throw new CompanionError(
    'PROOF_NEEDS_SIGNER',
    `${without === 1 ? 'A Sapling spend needs' : `${without} Sapling spends need`} a key for the proof that only the signer has: let the signer add it or make the proof, combine what it gives back, and prove the rest then.`,
  );
}

function decodedAnswer(asked: Pczt, answer: Uint8Array): Pczt {
  try {
    const { pczt } = decodePczt(answer);
    // Whatever both say has to be the same; what the answer alone says is not taken but for proofs.
    combinePczts([asked, pczt]);
    return pczt;
  } catch (error) {
    if (error instanceof FormatError) throw unusable('wrote something else than the PCZT that it was given');
    throw error;
  }
}

function withProofsOf(pczt: Pczt, proved: Pczt): Pczt {
  const whole: Pczt = {
    ...pczt,
    sapling: {
      ...pczt.sapling,
      spends: pczt.sapling.spends.map((spend, i) => withProofOf(spend, proved.sapling.spends[i])),
      outputs: pczt.sapling.outputs.map((output, i) => withProofOf(output, proved.sapling.outputs[i])),
    },
    ...perActionPool((pool) => withProofOf(pczt[pool], proved[pool])),
  };
  if (lacksProofs(whole)) throw unusable('left proofs out');
  for (const pool of ACTION_POOLS) {
    const { actions, zkproof } = whole[pool];
    if (zkproof !== undefined && actions.length > 0 && zkproof.length !== orchardProofSize(actions.length))
      throw unusable('wrote a proof of another length');
  }
  return whole;
}

interface Proved {
  readonly zkproof: Uint8Array | undefined;
}

/** In memory of its own: what it came in is wiped. */
const withProofOf = <T extends Proved>(item: T, proved: Proved | undefined): T => ({
  ...item,
  zkproof: item.zkproof ?? (proved?.zkproof && Uint8Array.from(proved.zkproof)),
});

const unusable = (what: string): CompanionError => new CompanionError('PROVER_FAILED', `The prover ${what}.`);
