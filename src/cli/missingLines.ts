// What a PCZT or a payment still needs, pool by pool.

interface MissingPart {
  readonly pool: string;
  readonly signatures: number;
  readonly proofs: boolean;
}

/** `more`: what else a part needs, in words. */
export function missingLines<Part extends MissingPart>(
  missing: readonly Part[],
  more: (part: Part) => readonly string[],
): string[] {
  if (missing.length === 0) return ['nothing: it can be sent'];
  return missing.map((part) => {
    const { pool, signatures, proofs } = part;
    const parts = [
      ...(signatures === 0 ? [] : [signatures === 1 ? '1 signature' : `${signatures} signatures`]),
      ...(proofs ? ['proofs'] : []),
      ...more(part),
    ];
    return `${pool}: ${parts.join(', ')}`;
  });
}
