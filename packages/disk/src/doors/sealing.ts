// Keys from passwords, keys for one purpose, seals, and a keyed function of many rows.

export {
  DEFAULT_KDF,
  derivePasswordKey,
  isAcceptableKdf,
  KDF_SALT_SIZE,
  type KdfParameters,
} from '../disk/sealing/passwordKey.ts';
export { mixInto, PRF_BLOCK, RowPrf } from '../disk/sealing/rowPrf.ts';
export {
  deriveSubkey,
  KEY_SIZE,
  type RandomBytes,
  SEAL_OVERHEAD,
  seal,
  unseal,
} from '../disk/sealing/sealing.ts';
export { xchacha } from '../disk/sealing/xchacha.ts';
