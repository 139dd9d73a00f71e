/* Made from the operation table by `node scripts/bindings.mjs`; do not edit. */
#ifndef COMPANION_CODES_H
#define COMPANION_CODES_H

/* The one table of failures (docs/api.md). Numbers never change; later versions append. */
typedef enum companion_code {
  COMPANION_OK = 0,
  /* The request is not valid. */
  COMPANION_INVALID_REQUEST = 1,
  /* The recovery phrase is not valid. */
  COMPANION_INVALID_MNEMONIC = 2,
  /* The password has the wrong format. */
  COMPANION_INVALID_PASSWORD_FORMAT = 3,
  /* The URL is not valid. */
  COMPANION_INVALID_URL = 4,
  /* The theme is not known. */
  COMPANION_INVALID_THEME = 5,
  /* The block range is not valid. */
  COMPANION_INVALID_RANGE = 6,
  /* The database path is not allowed. */
  COMPANION_INVALID_DB_PATH = 7,
  /* The viewing key is not valid. */
  COMPANION_INVALID_VIEWING_KEY = 8,
  /* The password is wrong. */
  COMPANION_WRONG_PASSWORD = 9,
  /* This origin may not use the companion. */
  COMPANION_ORIGIN_FORBIDDEN = 10,
  /* The Host header is not a loopback name. */
  COMPANION_HOST_FORBIDDEN = 11,
  /* There is no such resource. */
  COMPANION_NOT_FOUND = 12,
  /* There is no wallet yet. */
  COMPANION_NO_WALLET = 13,
  /* The method is not allowed here. */
  COMPANION_METHOD_NOT_ALLOWED = 14,
  /* A wallet already exists. */
  COMPANION_WALLET_EXISTS = 15,
  /* A sync is already running. */
  COMPANION_SYNC_IN_PROGRESS = 16,
  /* The other side belongs to another network. */
  COMPANION_NETWORK_MISMATCH = 17,
  /* The chain changed deeper than is followed without a rescan. */
  COMPANION_REORG_TOO_DEEP = 18,
  /* The request body is too large. */
  COMPANION_BODY_TOO_LARGE = 19,
  /* The request body must be JSON. */
  COMPANION_UNSUPPORTED_MEDIA_TYPE = 20,
  /* The wallet is locked. */
  COMPANION_WALLET_LOCKED = 21,
  /* Too many password attempts. */
  COMPANION_TOO_MANY_ATTEMPTS = 22,
  /* Too many requests. */
  COMPANION_RATE_LIMITED = 23,
  /* Something went wrong inside the companion. */
  COMPANION_INTERNAL = 24,
  /* The wallet file is damaged. */
  COMPANION_WALLET_CORRUPT = 25,
  /* A file could not be read or written. */
  COMPANION_STORAGE_FAILED = 26,
  /* The chain node cannot be reached. */
  COMPANION_NODE_UNREACHABLE = 27,
  /* The chain node refused our credentials. */
  COMPANION_NODE_UNAUTHORIZED = 28,
  /* The chain node gave an unusable answer. */
  COMPANION_NODE_BAD_RESPONSE = 29,
  /* The compact-block server cannot be reached. */
  COMPANION_COMPACT_SERVER_UNREACHABLE = 30,
  /* The compact-block server gave an unusable answer. */
  COMPANION_COMPACT_SERVER_BAD_RESPONSE = 31,
  /* The companion cannot be reached. */
  COMPANION_UNREACHABLE = 32,
  /* The companion is busy. */
  COMPANION_BUSY = 33,
  /* The chain node is behind this wallet. */
  COMPANION_NODE_BEHIND = 34,
  /* A worker thread ended and was restarted. */
  COMPANION_THREAD_LOST = 35,
  /* The other side did not answer in time. */
  COMPANION_UPSTREAM_TIMEOUT = 36,
  /* The companion is not ready in the sense that was asked for. */
  COMPANION_NOT_READY = 37,
  /* The cursor does not belong to these records. */
  COMPANION_CURSOR_UNKNOWN = 38,
  /* The PCZT is not valid. */
  COMPANION_INVALID_PCZT = 39,
  /* Blocks and trees do not fit each other. */
  COMPANION_WITNESS_MISMATCH = 40,
  /* There is not enough that can be spent now. */
  COMPANION_INSUFFICIENT_FUNDS = 41,
  /* The payment would make something public. */
  COMPANION_CONSENT_NEEDED = 42,
  /* The PCZT is not what was prepared. */
  COMPANION_PCZT_CHANGED = 43,
  /* The payment lacks signatures or proofs. */
  COMPANION_PAYMENT_INCOMPLETE = 44,
  /* The payment is past that. */
  COMPANION_PAYMENT_STATE = 45,
  /* No program for proofs is configured. */
  COMPANION_NO_PROVER = 46,
  /* The other side refuses the transaction. */
  COMPANION_TRANSACTION_REFUSED = 47,
  /* The prover failed. */
  COMPANION_PROVER_FAILED = 48,
  /* One past the last code of this version. */
  COMPANION_CODE_END
} companion_code;

#endif
