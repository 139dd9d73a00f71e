// Over the field of two elements, where addition is XOR.

/**
 * Indexes of the largest subset that elimination finds of which the XOR is zero: several dependencies at once, so that
 * about half of the vectors are in it.
 */
export function dependentSubset(vectors: readonly Uint8Array[]): number[] {
  const basis: { readonly leading: bigint; readonly vector: bigint; readonly members: bigint }[] = [];
  let best = 0n;
  vectors.forEach((bytes, i) => {
    let vector = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
    let members = 1n << BigInt(i);
    for (const row of basis) {
      if ((vector & row.leading) === 0n) continue;
      vector ^= row.vector;
      members ^= row.members;
    }
    if (vector !== 0n) {
      basis.push({ leading: 1n << BigInt(vector.toString(2).length - 1), vector, members });
    } else if (sizeOf(members ^ best) > sizeOf(best)) {
      best ^= members;
    }
  });
  return vectors.map((_, i) => i).filter((i) => ((best >> BigInt(i)) & 1n) === 1n);
}

const sizeOf = (set: bigint): number => set.toString(2).replaceAll('0', '').length;
