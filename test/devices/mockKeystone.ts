// A Keystone with the firmware for this coin, as its pages describe it: it reads a payment from codes, signs what its seed has
// the key of, and answers with what is left of the PCZT beside signatures. It reads codes with a parser of its own. No device
// was at hand.

import { crc32 } from 'node:zlib';
import { decodePczt, encodePczt, type Pczt } from '@wallet-companion/pczt/pczt';
import { effectsOfPczt } from '@wallet-companion/pczt/pcztRoles';
import { deriveSigningKeys } from '@wallet-companion/pczt/signer';
import { deriveTransparentKeyPair, seedFingerprint } from '@wallet-companion/zcash/keys';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { cryptographyOf, shieldedSighash, signInput } from '@wallet-companion/zcash/signing';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';

export interface MockKeystoneOptions {
  readonly seed: Uint8Array;
  readonly params: NetworkParameters;
  /** As it reports it: 3.0.0 knows PCZT 1 alone. */
  readonly firmware?: readonly [number, number, number];
}

interface Derivation {
  readonly seedFingerprint: Uint8Array;
  readonly derivationPath: readonly number[];
}

const HARDENED = 0x8000_0000;

/** The signed PCZT in the encoding that it was given. */
export function keystoneAnswer(bytes: Uint8Array, options: MockKeystoneOptions): Uint8Array {
  const { seed, params, firmware = [3, 0, 2] } = options;
  const version = Buffer.from(bytes).readUInt32LE(4);
  if (version > 1 && firmware[2] < 2) throw new Error('PCZT version is not supported');
  const { pczt, encoding } = decodePczt(bytes);
  if (pczt.sapling.spends.length > 0) throw new Error('Sapling spends are not supported');
  const sighash = shieldedSighash(effectsOfPczt(pczt));
  const own = seedFingerprint(seed);
  const randomBytes = seededBytes(firmware[2] + 5);
  type Input = Pczt['transparent']['inputs'][number];
  const isOwnKey = ({ seedFingerprint: of, derivationPath: [purpose, coin] }: Derivation): boolean =>
    Buffer.from(of).equals(own) && purpose === 44 + HARDENED && coin === params.coinType + HARDENED;
  type Spend = Pczt['ironwood']['actions'][number]['spend'];
  const signatureOf = ({ spendAuthSig, zip32Derivation: derivation, alpha, rk }: Spend) => {
    if (spendAuthSig !== undefined || derivation === undefined) return spendAuthSig;
    const [purpose, coin, account = 0, ...more] = derivation.derivationPath.map((part) => part - HARDENED);
    const isOwn = Buffer.from(derivation.seedFingerprint).equals(own);
    if (!isOwn || purpose !== 32 || coin !== params.coinType || more.length > 0) return undefined;
    const { spendAuth } = cryptographyOf('ironwood');
    const key = spendAuth.randomizedSigningKey(
      deriveSigningKeys(seed, params, account).spendAuth.orchard.ask,
      alpha!,
    );
    if (!Buffer.from(spendAuth.validatingKey(key)).equals(rk)) throw new Error('rk is of another key');
    return spendAuth.sign(key, sighash, randomBytes);
  };
  const stripped = <B extends Pczt['ironwood']>(bundle: B): B => ({
    ...bundle,
    zkproof: undefined,
    bsk: undefined,
    actions: bundle.actions.map(({ cvNet, spend, output }) => ({
      cvNet,
      rcv: undefined,
      spend: { ...empty(spend), nullifier: spend.nullifier, rk: spend.rk, spendAuthSig: signatureOf(spend) },
      output: {
        ...empty(output),
        cmx: output.cmx,
        ephemeralKey: output.ephemeralKey,
        encCiphertext: output.encCiphertext,
        outCiphertext: output.outCiphertext,
      },
    })),
  });
  const inputs = pczt.transparent.inputs.map((input, at): Input => {
    const own44 = [...input.bip32Derivation].find(([, derivation]) => isOwnKey(derivation));
    const stripped = { ...input, bip32Derivation: new Map() };
    if (own44 === undefined) return stripped;
    const [key, { derivationPath }] = own44;
    const { secret } = deriveTransparentKeyPair(seed, derivationPath);
    const signature = signInput(effectsOfPczt(pczt), at, secret, randomBytes);
    return { ...stripped, partialSignatures: new Map([[key, signature]]) };
  });
  const proprietary = new Map([
    ...pczt.global.proprietary,
    ['keystone:fw_version', Uint8Array.from(firmware)],
  ] as const);
  return encodePczt(
    {
      ...pczt,
      global: { ...pczt.global, proprietary },
      transparent: { ...pczt.transparent, inputs },
      orchard: stripped(pczt.orchard),
      ironwood: stripped(pczt.ironwood),
    },
    encoding,
  );
}

/** Every optional field is absent, and nothing is proprietary. */
const empty = <T extends { proprietary: unknown }>(item: T): T =>
  ({
    ...Object.fromEntries(Object.keys(item).map((name) => [name, undefined])),
    proprietary: new Map(),
  }) as T;

/** The first and the last letters of the 256 words (BCR-2020-012), in their order. */
const LETTERS =
  'aeadaoaxaaahamatayasbkbdbnbtbabsbebybgbwbbbzcmchcscfcycwcecackctcxclcpcndkdadsdidedtdrdndwdpdmdldyeheyeoeeecenemetesftfrfnfsfmfhfzfpfwfxfyfefgflfdgagegrgsgtglgwgdgygmgughgohfhghdhkhthphhhlhyhehnhsidiaieihiyioisinimjejzjnjtjljojsjpjkjykpkoktkskkknkgkekikblblalylflslrlplnltloldlelulklgmnmymhmemomumwmdmtmsmknlnyndnsntnnnenboyoeotoxonolospdptpkpypspmplpepfpaprqdqzrerprlrorhrdrkrfryrnrsrtsesasrssskswstspsosgsbsfsntotktitttdtetytltbtstptatnuyuoutueurvtvyvovlvevwvavdvswlwdwmwpwewywswtwnwzwfwkykynylyaytzszoztzczezm';

function byteWords(letters: string): Buffer {
  const all = Buffer.from(letters.match(/../g)!.map((pair) => LETTERS.match(/../g)!.indexOf(pair)));
  const body = all.subarray(0, -4);
  if (crc32(body) !== all.readUInt32BE(all.length - 4)) throw new Error('wrong checksum');
  return body;
}

/** A head of CBOR: its major type, its number, and what follows. */
function cborHead(bytes: Buffer): readonly [type: number, value: number, rest: Buffer] {
  const type = bytes[0]! >> 5;
  const short = bytes[0]! & 31;
  if (short < 24) return [type, short, bytes.subarray(1)];
  const length = 2 ** (short - 24);
  return [type, bytes.readUIntBE(1, length), bytes.subarray(1 + length)];
}

/** Fragments alone, in any order: a device that sees every code needs no mixture. Undefined while some are missing. */
export class KeystoneCamera {
  readonly #fragments = new Map<number, Buffer>();

  see(code: string): Uint8Array | undefined {
    const [, number, total, letters] = /^ur:zcash-pczt\/(\d+)-(\d+)\/([a-z]+)$/.exec(code.toLowerCase())!;
    let [, , rest] = cborHead(byteWords(letters!));
    const values: number[] = [];
    for (let at = 0; at < 5; at++) {
      const [, value, more] = cborHead(rest);
      values.push(value);
      rest = more;
    }
    const [, , length = 0, checksum] = values;
    if (Number(number) <= Number(total)) this.#fragments.set(Number(number), rest);
    if (this.#fragments.size < Number(total)) return undefined;
    const ordered = [...this.#fragments].sort(([one], [other]) => one - other);
    const cbor = Buffer.concat(ordered.map(([, fragment]) => fragment)).subarray(0, length);
    if (crc32(cbor) !== checksum) throw new Error('wrong checksum');
    const [, , key] = cborHead(cbor);
    return cborHead(cborHead(key)[2])[2];
  }
}
