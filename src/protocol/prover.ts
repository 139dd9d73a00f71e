// The program that makes proofs for a person's payments (`prover` in config.json).

export interface ProverSetting {
  /** Absolute path of the program, and its arguments. */
  readonly command: readonly string[];
  readonly timeout_seconds: number;
  /** Of all its processes together, where the system tells it (Linux). */
  readonly max_memory_mb: number;
}
