// The signer adds the signatures that a PCZT lacks. Its keys are its own, and its answer is not trusted.

export interface Signer {
  /**
   * Wipes the PCZT. Returns what the signer wrote, unchecked. Rejects with `NO_SIGNER`, `BUSY`, `SIGNER_FAILED`.
   * `stop` cancels it; so does the end of the session.
   */
  sign(pczt: Uint8Array<ArrayBuffer>, stop: AbortSignal): Promise<Uint8Array>;
}
