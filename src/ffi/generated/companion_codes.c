/* Made from the operation table by `node scripts/bindings.mjs`; do not edit. */
#include "../companion.h"

static const companion_code_description descriptions[COMPANION_CODE_END] = {
    [COMPANION_OK] = {"OK", "The call succeeded", 200, 0, 0},
    [COMPANION_INVALID_REQUEST] = {"INVALID_REQUEST", "The request is not valid", 400, 2, 0},
    [COMPANION_INVALID_MNEMONIC] = {"INVALID_MNEMONIC", "The recovery phrase is not valid", 400, 2, 0},
    [COMPANION_INVALID_PASSWORD_FORMAT] = {"INVALID_PASSWORD_FORMAT", "The password has the wrong format", 400, 2, 0},
    [COMPANION_INVALID_URL] = {"INVALID_URL", "The URL is not valid", 400, 2, 0},
    [COMPANION_INVALID_THEME] = {"INVALID_THEME", "The theme is not known", 400, 2, 0},
    [COMPANION_INVALID_RANGE] = {"INVALID_RANGE", "The block range is not valid", 400, 2, 0},
    [COMPANION_INVALID_DB_PATH] = {"INVALID_DB_PATH", "The database path is not allowed", 400, 2, 0},
    [COMPANION_INVALID_VIEWING_KEY] = {"INVALID_VIEWING_KEY", "The viewing key is not valid", 400, 2, 0},
    [COMPANION_WRONG_PASSWORD] = {"WRONG_PASSWORD", "The password is wrong", 401, 3, 0},
    [COMPANION_ORIGIN_FORBIDDEN] = {"ORIGIN_FORBIDDEN", "This origin may not use the companion", 403, 2, 0},
    [COMPANION_HOST_FORBIDDEN] = {"HOST_FORBIDDEN", "The Host header is not a loopback name", 403, 2, 0},
    [COMPANION_NOT_FOUND] = {"NOT_FOUND", "There is no such resource", 404, 4, 0},
    [COMPANION_NO_WALLET] = {"NO_WALLET", "There is no wallet yet", 404, 4, 0},
    [COMPANION_METHOD_NOT_ALLOWED] = {"METHOD_NOT_ALLOWED", "The method is not allowed here", 405, 2, 0},
    [COMPANION_WALLET_EXISTS] = {"WALLET_EXISTS", "A wallet already exists", 409, 5, 0},
    [COMPANION_SYNC_IN_PROGRESS] = {"SYNC_IN_PROGRESS", "A sync is already running", 409, 5, 1},
    [COMPANION_NETWORK_MISMATCH] = {"NETWORK_MISMATCH", "The other side belongs to another network", 409, 5, 0},
    [COMPANION_REORG_TOO_DEEP] = {"REORG_TOO_DEEP", "The chain was reorganised deeper than can be undone", 409, 5, 0},
    [COMPANION_BODY_TOO_LARGE] = {"BODY_TOO_LARGE", "The request body is too large", 413, 2, 0},
    [COMPANION_UNSUPPORTED_MEDIA_TYPE] = {"UNSUPPORTED_MEDIA_TYPE", "The request body must be JSON", 415, 2, 0},
    [COMPANION_WALLET_LOCKED] = {"WALLET_LOCKED", "The wallet is locked", 423, 3, 0},
    [COMPANION_TOO_MANY_ATTEMPTS] = {"TOO_MANY_ATTEMPTS", "Too many password attempts", 429, 3, 1},
    [COMPANION_RATE_LIMITED] = {"RATE_LIMITED", "Too many requests", 429, 6, 1},
    [COMPANION_INTERNAL] = {"INTERNAL", "Something went wrong inside the companion", 500, 70, 0},
    [COMPANION_WALLET_CORRUPT] = {"WALLET_CORRUPT", "The wallet file is damaged", 500, 7, 0},
    [COMPANION_STORAGE_FAILED] = {"STORAGE_FAILED", "A file could not be read or written", 500, 7, 0},
    [COMPANION_NODE_UNREACHABLE] = {"NODE_UNREACHABLE", "The chain node cannot be reached", 502, 6, 1},
    [COMPANION_NODE_UNAUTHORIZED] = {"NODE_UNAUTHORIZED", "The chain node refused our credentials", 502, 6, 0},
    [COMPANION_NODE_BAD_RESPONSE] = {"NODE_BAD_RESPONSE", "The chain node gave an unusable answer", 502, 6, 1},
    [COMPANION_COMPACT_SERVER_UNREACHABLE] = {"COMPACT_SERVER_UNREACHABLE", "The compact-block server cannot be reached", 502, 6, 1},
    [COMPANION_COMPACT_SERVER_BAD_RESPONSE] = {"COMPACT_SERVER_BAD_RESPONSE", "The compact-block server gave an unusable answer", 502, 6, 1},
    [COMPANION_UNREACHABLE] = {"COMPANION_UNREACHABLE", "The companion cannot be reached", 502, 6, 1},
    [COMPANION_BUSY] = {"BUSY", "The companion is busy", 503, 6, 1},
    [COMPANION_NODE_BEHIND] = {"NODE_BEHIND", "The chain node is behind this wallet", 503, 6, 1},
    [COMPANION_THREAD_LOST] = {"THREAD_LOST", "A worker thread ended and was restarted", 503, 70, 1},
    [COMPANION_UPSTREAM_TIMEOUT] = {"UPSTREAM_TIMEOUT", "The other side did not answer in time", 504, 6, 1},
    [COMPANION_NOT_READY] = {"NOT_READY", "The companion is not ready in the sense that was asked for", 503, 6, 1},
    [COMPANION_CURSOR_UNKNOWN] = {"CURSOR_UNKNOWN", "The cursor does not belong to these records", 409, 5, 0},
    [COMPANION_INVALID_PCZT] = {"INVALID_PCZT", "The PCZT is not valid", 400, 2, 0},
    [COMPANION_WITNESS_MISMATCH] = {"WITNESS_MISMATCH", "Blocks and trees do not fit each other", 502, 6, 1},
    [COMPANION_NO_PROVER] = {"NO_PROVER", "No program makes proofs", 409, 5, 0},
    [COMPANION_PROOF_NEEDS_SIGNER] = {"PROOF_NEEDS_SIGNER", "A proof needs a key that only the signer has", 409, 5, 0},
    [COMPANION_PROVER_FAILED] = {"PROVER_FAILED", "The prover failed", 502, 6, 1},
};

const companion_code_description *companion_describe(companion_code code) {
  const int number = (int)code;
  return &descriptions[number < 0 || number >= COMPANION_CODE_END ? COMPANION_INTERNAL : number];
}
