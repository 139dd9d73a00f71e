// The program that makes proofs for the user's payments (`prover` in config.json).

export interface ProverSetting {
  /** Absolute path of the program, and its arguments. */
  readonly command: readonly string[];
  readonly timeout_seconds: number;
  /** The limit of all its processes together, where the system reports it (Linux). */
  readonly max_memory_mb: number;
}
