// Who makes the proofs that a PCZT lacks. It gets no spending key, and its answer is not to be trusted.

export interface Prover {
  /**
   * Wipes the PCZT. What comes back is whatever the prover wrote. Rejects with `NO_PROVER`, `BUSY`, `PROVER_FAILED`.
   * `stop` gives up; so does the end of the session.
   */
  prove(pczt: Uint8Array<ArrayBuffer>, stop: AbortSignal): Promise<Uint8Array>;
}
