// Argon2id as small as it gets: a test that opens a wallet is not about what a guess at its password costs. The programs that
// tests start take what people get.
export const CHEAP_KDF = { memoryKib: 8, passes: 1, lanes: 1 } as const;
