// Curve constants that the kernel's plans and verifiers need (protocol specification §5.4.9.3 and §5.4.9.6). They are
// repeated here, not imported from packages/zcash, so that the tests find a wrong constant there by the
// difference.

export const PALLAS_ORDER = 0x40000000000000000000000000000000224698fc0994a8dd8c46eb2100000001n;
/** (x, y) -> (zeta x, y) is multiplication by lambda. */
export const PALLAS_ZETA = 0x12ccca834acdba712caad5dc57aab1b01d1f8bd237ad31491dad5ebdfdfe4ab9n;
export const PALLAS_LAMBDA = 0x06819a58283e528e511db4d81cf70f5a0fed467d47c033af2aa9d2e050aa0e4fn;

/** Order of Jubjub's prime subgroup; the cofactor is 8. */
export const JUBJUB_ORDER = 0x0e7db4ea6533afa906673b0101343b00a6682093ccc81082d0970e5ed6f72cb7n;
/** d of the curve equation -u^2 + v^2 = 1 + d u^2 v^2. */
export const JUBJUB_D = 0x2a9318e74bfa2b48f5fd9207e6bd7fd4292d7f6d37579d2601065fd6d6343eb1n;
