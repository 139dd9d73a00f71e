// Fixed bases of the Orchard protocol (specification §5.4.7.1, §4.16); Ironwood uses the same.
import { asciiBytes } from '@wallet-companion/base/bytes';
import { createPallasFixedBase, type PallasFixedBase } from '../curves/pallasMultiply.ts';
import { hashToPallas } from './pallasHash.ts';

const fixedBase = (domain: string, message: string): PallasFixedBase =>
  createPallasFixedBase(() => {
    const point = hashToPallas(domain, asciiBytes(message));
    if (point === undefined) throw new Error('a generator of the protocol is not the identity');
    return point;
  });

/** 𝒢^Orchard: ak = [ask]·𝒢. */
export const ORCHARD_SPEND_AUTH_BASE = fixedBase('z.cash:Orchard', 'G');
/** 𝒦^Orchard: the base of nullifiers. */
export const ORCHARD_NULLIFIER_BASE = fixedBase('z.cash:Orchard', 'K');
/** 𝒱 and ℛ of value commitments; ℛ is also the base of binding signatures. */
export const ORCHARD_VALUE_BASE = fixedBase('z.cash:Orchard-cv', 'v');
export const ORCHARD_VALUE_RANDOMNESS_BASE = fixedBase('z.cash:Orchard-cv', 'r');
