// The prover makes the proofs that a PCZT lacks. It gets no spending key, and its answer is not trusted.

export interface Prover {
  /**
   * Wipes the PCZT. Returns what the prover wrote, unchecked. Rejects with `NO_PROVER`, `BUSY`, `PROVER_FAILED`.
   * `stop` cancels it; so does the end of the session.
   */
  prove(pczt: Uint8Array<ArrayBuffer>, stop: AbortSignal): Promise<Uint8Array>;
  /** Whether Sapling's proofs too can be made here: by a program, which is believed, or with the parameters that they need. */
  provesSapling(): Promise<boolean>;
}
