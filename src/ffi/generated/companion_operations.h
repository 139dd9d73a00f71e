/* Made from the operation table by `node scripts/bindings.mjs`; do not edit. */
#ifndef COMPANION_OPERATIONS_H
#define COMPANION_OPERATIONS_H

#include "../companion.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Tell whether a wallet file exists (GET /api/wallet/exists).
 * Fails with INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_wallet_exists(companion *handle, char **answer);

/*
 * Tell whether the wallet exists, is unlocked and is syncing (GET /api/wallet/status).
 * Fails with INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_wallet_status(companion *handle, char **answer);

/*
 * Create a wallet; the recovery phrase is shown once, in this answer (POST /api/wallet/create).
 * password: Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC).
 * word_count: Words in the recovery phrase (default 24) (12, 24). May be left out.
 * birthday_height: Height below which this wallet holds nothing. May be left out.
 * Fails with INVALID_PASSWORD_FORMAT, WALLET_EXISTS, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_wallet_create(
    companion *handle,
    const char *password,
    int64_t word_count,
    int64_t birthday_height,
    char **answer);

/*
 * Restore a wallet from its recovery phrase (POST /api/wallet/restore).
 * mnemonic: BIP-39 recovery phrase, 12 to 24 English words.
 * password: Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC).
 * birthday_height: Height below which this wallet holds nothing. May be left out.
 * bip39_passphrase: BIP-39 passphrase ("25th word") that was used with the phrase. May be left out.
 * birthday: Date before which this wallet holds nothing, instead of birthday_height: 2021, 2021-06 or 2021-06-15 (main
 *   network). The block taken is at most two weeks older, or the newest whose date is known here, of October 2026. May
 *   be left out.
 * Fails with INVALID_MNEMONIC, INVALID_PASSWORD_FORMAT, WALLET_EXISTS, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY,
 *   THREAD_LOST.
 */
COMPANION_API companion_code companion_wallet_restore(
    companion *handle,
    const char *mnemonic,
    const char *password,
    int64_t birthday_height,
    const char *bip39_passphrase,
    const char *birthday,
    char **answer);

/*
 * Make a watch-only wallet from a viewing key; nothing it holds can spend (POST /api/wallet/import-viewing-key).
 * viewing_key: Unified full or incoming viewing key (ZIP 316), or a Sapling extended full viewing key.
 * password: Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC).
 * birthday_height: Height below which this wallet holds nothing. May be left out.
 * birthday: Date before which this wallet holds nothing, instead of birthday_height: 2021, 2021-06 or 2021-06-15 (main
 *   network). The block taken is at most two weeks older, or the newest whose date is known here, of October 2026. May
 *   be left out.
 * Fails with INVALID_VIEWING_KEY, INVALID_PASSWORD_FORMAT, WALLET_EXISTS, INVALID_REQUEST, INTERNAL, STORAGE_FAILED,
 *   BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_wallet_import_viewing_key(
    companion *handle,
    const char *viewing_key,
    const char *password,
    int64_t birthday_height,
    const char *birthday,
    char **answer);

/*
 * Open a session with the password (POST /api/wallet/unlock).
 * password: Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC).
 * Fails with NO_WALLET, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT, NETWORK_MISMATCH,
 *   INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_wallet_unlock(companion *handle, const char *password, char **answer);

/*
 * End the session; a running scan stops at its next commit (POST /api/wallet/lock).
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with NO_WALLET, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT, NETWORK_MISMATCH,
 *   INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_wallet_lock(companion *handle, const char *password, char **answer);

/*
 * Change the password; phrase, keys and notes stay as they are (POST /api/wallet/change-password).
 * password: Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC).
 * new_password: Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC).
 * Fails with NO_WALLET, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT, NETWORK_MISMATCH,
 *   SYNC_IN_PROGRESS, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_wallet_change_password(
    companion *handle,
    const char *password,
    const char *new_password,
    char **answer);

/*
 * Show the recovery phrase and what else a restore needs (POST /api/wallet/backup).
 * password: Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC).
 * Fails with NO_WALLET, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT, NETWORK_MISMATCH,
 *   INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_wallet_backup(companion *handle, const char *password, char **answer);

/*
 * Forget what was scanned, keep the keys; the next sync starts again (POST /api/wallet/rescan).
 * from_height: Forget from this height up; left out: everything. May be left out.
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, SYNC_IN_PROGRESS, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS,
 *   WALLET_CORRUPT, NETWORK_MISMATCH, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_wallet_rescan(
    companion *handle,
    int64_t from_height,
    const char *password,
    char **answer);

/*
 * Show an account's unified viewing key (ZIP 316) (POST /api/viewing-key).
 * password: Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC).
 * account: ZIP 32 account index (default 0). May be left out.
 * Fails with NO_WALLET, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT, NETWORK_MISMATCH,
 *   NOT_FOUND, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_wallet_viewing_key(
    companion *handle,
    const char *password,
    int64_t account,
    char **answer);

/*
 * List the wallets of this companion, the default one first (GET /api/wallets).
 * Fails with INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_wallets_list(companion *handle, char **answer);

/*
 * Read the configuration (GET /api/config).
 * Fails with INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_config_get(companion *handle, char **answer);

/*
 * Set the URL of the chain node (POST /api/config/node-url).
 * url: JSON-RPC endpoint of the chain node (http or https, no credentials).
 * probe: Ask the node first; keep the old URL when it does not answer. May be left out.
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with INVALID_URL, NODE_UNREACHABLE, NODE_UNAUTHORIZED, NODE_BAD_RESPONSE, NETWORK_MISMATCH, UPSTREAM_TIMEOUT,
 *   NO_WALLET, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT, INVALID_REQUEST, INTERNAL,
 *   STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_config_node_url(
    companion *handle,
    const char *url,
    int32_t probe,
    const char *password,
    char **answer);

/*
 * Set the URL of the compact-block server (POST /api/config/compact-server-url).
 * url: Compact-block server: https://, http://, or host:port on loopback.
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with INVALID_URL, NO_WALLET, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT,
 *   NETWORK_MISMATCH, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_config_compact_server_url(
    companion *handle,
    const char *url,
    const char *password,
    char **answer);

/*
 * Set the UI theme (POST /api/config/theme).
 * theme: UI theme of companion frontends (system, light, dark).
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with INVALID_THEME, NO_WALLET, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT,
 *   NETWORK_MISMATCH, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_config_theme(
    companion *handle,
    const char *theme,
    const char *password,
    char **answer);

/*
 * Shielded balance, per pool, and what has not been scanned yet (GET /api/balance).
 * account: ZIP 32 account index; left out: all accounts. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, WALLET_CORRUPT, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY,
 *   THREAD_LOST.
 */
COMPANION_API companion_code companion_balance(companion *handle, int64_t account, char **answer);

/*
 * The address at an index (default: the lowest valid one); reserves nothing (GET /api/address).
 * account: ZIP 32 account index (default 0). May be left out.
 * diversifier_index: Diversifier index, decimal (up to 88 bits). May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_address_get(
    companion *handle,
    int64_t account,
    const char *diversifier_index,
    char **answer);

/*
 * A fresh address: the next unused index, reserved (POST /api/address).
 * account: ZIP 32 account index (default 0). May be left out.
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, WALLET_CORRUPT, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD,
 *   TOO_MANY_ATTEMPTS, NETWORK_MISMATCH, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_address_next(
    companion *handle,
    int64_t account,
    const char *password,
    char **answer);

/*
 * Notes received, spent or not, zero-value ones included (GET /api/notes).
 * account: ZIP 32 account index; left out: all accounts. May be left out.
 * pool: Shielded pool (sapling, orchard, ironwood). May be left out.
 * unspent: true: only unspent notes; otherwise all. May be left out.
 * limit: Entries per page, at most 1,000 (default 100). May be left out.
 * cursor: `next_cursor` of the page before. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_notes_list(
    companion *handle,
    int64_t account,
    const char *pool,
    int32_t unspent,
    int64_t limit,
    const char *cursor,
    char **answer);

/*
 * Our transactions, one entry each, with sent outputs where recoverable (GET /api/transactions).
 * account: ZIP 32 account index; left out: all accounts. May be left out.
 * limit: Entries per page, at most 1,000 (default 100). May be left out.
 * cursor: `next_cursor` of the page before. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_transactions_list(
    companion *handle,
    int64_t account,
    int64_t limit,
    const char *cursor,
    char **answer);

/*
 * The accounts of this wallet (GET /api/accounts).
 * Fails with NO_WALLET, WALLET_LOCKED, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_accounts_list(companion *handle, char **answer);

/*
 * Add the next ZIP 32 account to an unlocked wallet; blocks from its birthday must be scanned for it (POST
 *   /api/accounts).
 * password: Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC).
 * birthday_height: Height below which this wallet holds nothing. May be left out.
 * birthday: Date before which this wallet holds nothing, instead of birthday_height: 2021, 2021-06 or 2021-06-15 (main
 *   network). The block taken is at most two weeks older, or the newest whose date is known here, of October 2026. May
 *   be left out.
 * Fails with NO_WALLET, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT, NETWORK_MISMATCH,
 *   WALLET_LOCKED, SYNC_IN_PROGRESS, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_accounts_create(
    companion *handle,
    const char *password,
    int64_t birthday_height,
    const char *birthday,
    char **answer);

/*
 * Everything that happened to our notes since a cursor, each change once and in order (GET /api/changes).
 * since: `next_cursor` of the answer before, which stays good for ever; without it: from the beginning. `now`: no
 *   changes, only the cursor to go on from. May be left out.
 * limit: Entries per page, at most 1,000 (default 100). May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, CURSOR_UNKNOWN, WALLET_CORRUPT, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY,
 *   THREAD_LOST.
 */
COMPANION_API companion_code companion_changes_list(companion *handle, const char *since, int64_t limit, char **answer);

/*
 * The path from a note to the root of its tree at an anchor height, folded and compared before it is given (GET
 *   /api/notes/witness).
 * txid: The transaction that made the note.
 * pool: Shielded pool (sapling, orchard, ironwood).
 * output_index: As `notes` tells it.
 * anchor_height: A scanned block: among the chain's last 1,100 or the 8 newest that were scanned, or a multiple of
 *   1,000; default: the highest scanned block less 2. May be left out.
 * source: Where blocks come from (default: node) (node, compact). May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, INVALID_RANGE, WITNESS_MISMATCH, INVALID_URL, NODE_UNREACHABLE,
 *   NODE_UNAUTHORIZED, NODE_BAD_RESPONSE, NETWORK_MISMATCH, UPSTREAM_TIMEOUT, COMPACT_SERVER_UNREACHABLE,
 *   COMPACT_SERVER_BAD_RESPONSE, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_notes_witness(
    companion *handle,
    const char *txid,
    const char *pool,
    int64_t output_index,
    int64_t anchor_height,
    const char *source,
    char **answer);

/*
 * The labels of our addresses (GET /api/labels).
 * account: ZIP 32 account index; left out: all accounts. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_labels_list(companion *handle, int64_t account, char **answer);

/*
 * Label one of our addresses, or change its label (POST /api/labels).
 * account: ZIP 32 account index (default 0). May be left out.
 * diversifier_index: Diversifier index, decimal (up to 88 bits).
 * label: What you call the address, 1 to 256 characters.
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, WALLET_CORRUPT, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD,
 *   TOO_MANY_ATTEMPTS, NETWORK_MISMATCH, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_labels_set(
    companion *handle,
    int64_t account,
    const char *diversifier_index,
    const char *label,
    const char *password,
    char **answer);

/*
 * Take the label of an address away (POST /api/labels/remove).
 * account: ZIP 32 account index (default 0). May be left out.
 * diversifier_index: Diversifier index, decimal (up to 88 bits).
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, WALLET_CORRUPT, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD,
 *   TOO_MANY_ATTEMPTS, NETWORK_MISMATCH, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_labels_remove(
    companion *handle,
    int64_t account,
    const char *diversifier_index,
    const char *password,
    char **answer);

/*
 * The history, oldest first, for bookkeeping; its last balance is that of the wallet (GET /api/transactions/export).
 * format: csv for spreadsheets (default), json for programs (csv, json). May be left out.
 * account: ZIP 32 account index; left out: all accounts. May be left out.
 * limit: Transactions per page, at most 1,000 (default 200). May be left out.
 * cursor: `next_cursor` of the page before. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_transactions_export(
    companion *handle,
    const char *format,
    int64_t account,
    int64_t limit,
    const char *cursor,
    char **answer);

/*
 * What the wallet held after a block, by its height or at a date (GET /api/balance/at).
 * height: Give this or `date`. May be left out.
 * date: A day, as of its end (UTC), or an RFC 3339 time. May be left out.
 * account: ZIP 32 account index; left out: all accounts. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, INVALID_URL, NODE_UNREACHABLE, NODE_UNAUTHORIZED, NODE_BAD_RESPONSE,
 *   NETWORK_MISMATCH, UPSTREAM_TIMEOUT, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_balance_at(
    companion *handle,
    int64_t height,
    const char *date,
    int64_t account,
    char **answer);

/*
 * A payment request (ZIP 321) for an address of the wallet (POST /api/payment-uri).
 * account: ZIP 32 account index (default 0). May be left out.
 * diversifier_index: Diversifier index, decimal (up to 88 bits). May be left out.
 * address: Another address of this network; default: the one of `account` at `diversifier_index`. May be left out.
 * amount: In ZEC, as text; left out, the payer chooses. May be left out.
 * zatoshi: The amount in zatoshi, in the place of `amount`. May be left out.
 * memo: Comes with the payment; not for transparent addresses. May be left out.
 * label: Who is paid, for the payer's screen. May be left out.
 * message: What for, for the payer's screen. May be left out.
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS,
 *   WALLET_CORRUPT, NETWORK_MISMATCH, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_payment_uri_create(
    companion *handle,
    int64_t account,
    const char *diversifier_index,
    const char *address,
    const char *amount,
    int64_t zatoshi,
    const char *memo,
    const char *label,
    const char *message,
    const char *password,
    char **answer);

/*
 * A payment request as a QR code (POST /api/payment-uri/qr).
 * account: ZIP 32 account index (default 0). May be left out.
 * diversifier_index: Diversifier index, decimal (up to 88 bits). May be left out.
 * address: Another address of this network; default: the one of `account` at `diversifier_index`. May be left out.
 * amount: In ZEC, as text; left out, the payer chooses. May be left out.
 * zatoshi: The amount in zatoshi, in the place of `amount`. May be left out.
 * memo: Comes with the payment; not for transparent addresses. May be left out.
 * label: Who is paid, for the payer's screen. May be left out.
 * message: What for, for the payer's screen. May be left out.
 * format: text for a terminal (default), svg and png for the rest (text, svg, png). May be left out.
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS,
 *   WALLET_CORRUPT, NETWORK_MISMATCH, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_payment_uri_qr(
    companion *handle,
    int64_t account,
    const char *diversifier_index,
    const char *address,
    const char *amount,
    int64_t zatoshi,
    const char *memo,
    const char *label,
    const char *message,
    const char *format,
    const char *password,
    char **answer);

/*
 * What a payment request (ZIP 321) asks for, or why it must not be paid (POST /api/payment-uri/parse).
 * uri: zcash:....
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with NO_WALLET, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT, NETWORK_MISMATCH,
 *   INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_payment_uri_parse(
    companion *handle,
    const char *uri,
    const char *password,
    char **answer);

/*
 * What a PCZT pays, shows and lacks, before anybody signs it (POST /api/pczt/inspect).
 * pczt: A PCZT (ZIP 374, encoding 1 or 2) in base64.
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with INVALID_PCZT, NO_WALLET, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT,
 *   NETWORK_MISMATCH, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_pczt_inspect(
    companion *handle,
    const char *pczt,
    const char *password,
    char **answer);

/*
 * Prepare a payment for others to sign, and reserve its notes (POST /api/payments/prepare).
 * uri: A payment request (ZIP 321), instead of recipients. May be left out.
 * recipients: Whom to pay (JSON text: a list of objects with address, amount, zatoshi, memo). May be left out.
 * address: One recipient, in the place of recipients. May be left out.
 * amount: In ZEC, as text. May be left out.
 * zatoshi: The amount in zatoshi, in the place of `amount`. May be left out.
 * memo: Not for transparent addresses. May be left out.
 * everything: Send all that one transaction can (max_actions) to the one recipient, whose amount is left out. May be
 *   left out.
 * account: ZIP 32 account index (default 0). May be left out.
 * confirmations: That notes need (default: 10, and 3 for own change). May be left out.
 * change_confirmations: That own change needs (default: 3, or `confirmations` where that is lower). May be left out.
 * expiry_height: The last block that may have it (default: 50 minutes ahead; an upgrade may end it before). May be left
 *   out.
 * privacy: What may become public, by name (default: nothing) (crossing_pools, transparent_recipients, unusual_fee;
 *   commas between several). May be left out.
 * change: kept: in the pool it comes from (default); moved: to the newest pool (kept, moved). May be left out.
 * pools: Spend notes of these alone (sapling, orchard, ironwood; commas between several). May be left out.
 * max_actions: Of a pool, as the signer has room for (default 32; the network takes 330 of all pools). May be left out.
 * seed_fingerprint: ZIP 32; of the seed that signs, for wallets made from a viewing key: some signers want it. May be
 *   left out.
 * source: Where blocks come from (default: node) (node, compact). May be left out.
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, WALLET_CORRUPT, INSUFFICIENT_FUNDS, CONSENT_NEEDED, WITNESS_MISMATCH,
 *   PAYMENT_STATE, INVALID_RANGE, NODE_BEHIND, INVALID_URL, NODE_UNREACHABLE, NODE_UNAUTHORIZED, NODE_BAD_RESPONSE,
 *   NETWORK_MISMATCH, UPSTREAM_TIMEOUT, COMPACT_SERVER_UNREACHABLE, COMPACT_SERVER_BAD_RESPONSE,
 *   INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY,
 *   THREAD_LOST.
 */
COMPANION_API companion_code companion_payments_prepare(
    companion *handle,
    const char *uri,
    const char *recipients,
    const char *address,
    const char *amount,
    int64_t zatoshi,
    const char *memo,
    int32_t everything,
    int64_t account,
    int64_t confirmations,
    int64_t change_confirmations,
    int64_t expiry_height,
    const char *privacy,
    const char *change,
    const char *pools,
    int64_t max_actions,
    const char *seed_fingerprint,
    const char *source,
    const char *password,
    char **answer);

/*
 * Prepared payments, the latest first (GET /api/payments).
 * account: ZIP 32 account index; left out: all accounts. May be left out.
 * open: true: those alone that may still be mined. May be left out.
 * limit: Entries per page, at most 1,000 (default 100). May be left out.
 * cursor: `next_cursor` of the page before. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, WALLET_CORRUPT, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY,
 *   THREAD_LOST.
 */
COMPANION_API companion_code companion_payments_list(
    companion *handle,
    int64_t account,
    int32_t open,
    int64_t limit,
    const char *cursor,
    char **answer);

/*
 * One prepared payment (GET /api/payments/{payment_id}).
 * payment_id: As `payments.prepare` gave it.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, WALLET_CORRUPT, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY,
 *   THREAD_LOST.
 */
COMPANION_API companion_code companion_payments_get(companion *handle, const char *payment_id, char **answer);

/*
 * The PCZT of a payment as it is by now, with no more in it than its reader needs (GET
 *   /api/payments/{payment_id}/pczt).
 * payment_id: As `payments.prepare` gave it.
 * reader: Default: signer (signer, compact_signer, prover, anyone). May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, WALLET_CORRUPT, PAYMENT_STATE, INVALID_REQUEST, INTERNAL,
 *   STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_payments_pczt(
    companion *handle,
    const char *payment_id,
    const char *reader,
    char **answer);

/*
 * Take signatures and proofs from a PCZT that came back, and nothing else (POST /api/payments/{payment_id}/combine).
 * payment_id: As `payments.prepare` gave it.
 * pczt: A PCZT (ZIP 374, encoding 1 or 2) in base64.
 * replace_proofs: Take its proofs in the place of those that are there. May be left out.
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, WALLET_CORRUPT, INVALID_PCZT, PCZT_CHANGED, PAYMENT_STATE,
 *   INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, NETWORK_MISMATCH, INVALID_REQUEST, INTERNAL,
 *   STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_payments_combine(
    companion *handle,
    const char *payment_id,
    const char *pczt,
    int32_t replace_proofs,
    const char *password,
    char **answer);

/*
 * Have the configured program make the proofs (POST /api/payments/{payment_id}/prove).
 * payment_id: As `payments.prepare` gave it.
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, WALLET_CORRUPT, PAYMENT_STATE, NO_PROVER, PROVER_FAILED,
 *   INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, NETWORK_MISMATCH, INVALID_REQUEST, INTERNAL,
 *   STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_payments_prove(
    companion *handle,
    const char *payment_id,
    const char *password,
    char **answer);

/*
 * Send a payment that is complete (POST /api/payments/{payment_id}/broadcast).
 * payment_id: As `payments.prepare` gave it.
 * password: Needed where broadcast_needs_password is set. May be left out.
 * source: Who passes it on (default: node) (node, compact). May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, WALLET_CORRUPT, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD,
 *   TOO_MANY_ATTEMPTS, NETWORK_MISMATCH, INVALID_URL, NODE_UNREACHABLE, NODE_UNAUTHORIZED, NODE_BAD_RESPONSE,
 *   UPSTREAM_TIMEOUT, COMPACT_SERVER_UNREACHABLE, COMPACT_SERVER_BAD_RESPONSE, PAYMENT_INCOMPLETE, PAYMENT_STATE,
 *   TRANSACTION_REFUSED, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_payments_broadcast(
    companion *handle,
    const char *payment_id,
    const char *password,
    const char *source,
    char **answer);

/*
 * Give a payment up and free its notes; refused once it was sent and may still be mined (POST
 *   /api/payments/{payment_id}/discard).
 * payment_id: As `payments.prepare` gave it.
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, WALLET_CORRUPT, PAYMENT_STATE, INVALID_PASSWORD_FORMAT,
 *   WRONG_PASSWORD, TOO_MANY_ATTEMPTS, NETWORK_MISMATCH, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_payments_discard(
    companion *handle,
    const char *payment_id,
    const char *password,
    char **answer);

/*
 * Scan up to 1,000 blocks for notes and spends (POST /api/sync).
 * password: Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC). May be left out.
 * start_height: Default: last_scan_height + 1. May be left out.
 * end_height: Default: the chain tip. Alone: what is not scanned yet up to there, lowest first. May be left out.
 * node_url: JSON-RPC endpoint of the chain node (http or https, no credentials). May be left out.
 * source: Where blocks come from (default: node) (node, compact). May be left out.
 * verify_with: With the source compact alone: block hashes and note commitment tree sizes are compared with the chain
 *   node before blocks count (node). May be left out.
 * newest_first: true: the newest blocks not scanned yet, and when there are none above, what is missing from its top
 *   down; not with start_height or end_height. May be left out.
 * Fails with NO_WALLET, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT, NETWORK_MISMATCH,
 *   WALLET_LOCKED, INVALID_RANGE, SYNC_IN_PROGRESS, NODE_BEHIND, REORG_TOO_DEEP, INVALID_URL, NODE_UNREACHABLE,
 *   NODE_UNAUTHORIZED, NODE_BAD_RESPONSE, UPSTREAM_TIMEOUT, COMPACT_SERVER_UNREACHABLE, COMPACT_SERVER_BAD_RESPONSE,
 *   INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_sync(
    companion *handle,
    const char *password,
    int64_t start_height,
    int64_t end_height,
    const char *node_url,
    const char *source,
    const char *verify_with,
    int32_t newest_first,
    char **answer);

/*
 * Progress of the running scan, and how the last one ended (GET /api/sync/status).
 * Fails with INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_sync_status(companion *handle, char **answer);

/*
 * Stop the running scan at its next commit; what was scanned stays (POST /api/sync/cancel).
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with NO_WALLET, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT, NETWORK_MISMATCH,
 *   INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_sync_cancel(companion *handle, const char *password, char **answer);

/*
 * Which blocks were scanned, from hash to hash, and which are missing (GET /api/coverage).
 * account: ZIP 32 account index; left out: all accounts. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_coverage(companion *handle, int64_t account, char **answer);

/*
 * Our unmined transactions as of the last look at the mempool; asks nobody (GET /api/mempool).
 * account: ZIP 32 account index; left out: all accounts. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_mempool(companion *handle, int64_t account, char **answer);

/*
 * Look at the mempool of the node or the compact server now (POST /api/mempool).
 * account: ZIP 32 account index; left out: all accounts. May be left out.
 * source: Where blocks come from (default: node) (node, compact). May be left out.
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with NO_WALLET, WALLET_LOCKED, NOT_FOUND, INVALID_URL, NODE_UNREACHABLE, NODE_UNAUTHORIZED, NODE_BAD_RESPONSE,
 *   NETWORK_MISMATCH, UPSTREAM_TIMEOUT, COMPACT_SERVER_UNREACHABLE, COMPACT_SERVER_BAD_RESPONSE,
 *   INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT, INVALID_REQUEST, INTERNAL,
 *   STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_mempool_look(
    companion *handle,
    int64_t account,
    const char *source,
    const char *password,
    char **answer);

/*
 * Whether new blocks are followed, and how that goes (GET /api/follow).
 * Fails with INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_follow_get(companion *handle, char **answer);

/*
 * Follow new blocks, or stop it; kept for later starts (POST /api/follow).
 * enabled: Whether new blocks are scanned as they come, and gaps closed.
 * source: Default: the one that was followed last (node, compact). May be left out.
 * keep_open: Keep the wallet unlocked meanwhile. To turn that on takes the password. Left out: as it is; off once
 *   nothing is followed. May be left out.
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with NO_WALLET, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT, NETWORK_MISMATCH,
 *   INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_follow_set(
    companion *handle,
    int32_t enabled,
    const char *source,
    int32_t keep_open,
    const char *password,
    char **answer);

/*
 * What the compact-block server says about itself, its heights included, and what the local store holds (GET
 *   /api/lwd/info).
 * compact_server_url: Compact-block server: https://, http://, or host:port on loopback. May be left out.
 * db_path: Compact store: a .db, .sqlite or .sqlite3 file; relative means inside the data directory. May be left out.
 * Fails with INVALID_URL, COMPACT_SERVER_UNREACHABLE, COMPACT_SERVER_BAD_RESPONSE, NETWORK_MISMATCH, UPSTREAM_TIMEOUT,
 *   INVALID_DB_PATH, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_lwd_info(
    companion *handle,
    const char *compact_server_url,
    const char *db_path,
    char **answer);

/*
 * The compact-block server's best block (GET /api/lwd/chain-tip).
 * compact_server_url: Compact-block server: https://, http://, or host:port on loopback. May be left out.
 * db_path: Compact store: a .db, .sqlite or .sqlite3 file; relative means inside the data directory. May be left out.
 * Fails with INVALID_URL, COMPACT_SERVER_UNREACHABLE, COMPACT_SERVER_BAD_RESPONSE, NETWORK_MISMATCH, UPSTREAM_TIMEOUT,
 *   INVALID_DB_PATH, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_lwd_chain_tip(
    companion *handle,
    const char *compact_server_url,
    const char *db_path,
    char **answer);

/*
 * Fetch up to 1,000 compact blocks into the local store (POST /api/lwd/sync/compact).
 * compact_server_url: Compact-block server: https://, http://, or host:port on loopback. May be left out.
 * db_path: Compact store: a .db, .sqlite or .sqlite3 file; relative means inside the data directory. May be left out.
 * start_height: Default: above the store's top. May be left out.
 * end_height: Default: the chain tip. May be left out.
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with INVALID_URL, COMPACT_SERVER_UNREACHABLE, COMPACT_SERVER_BAD_RESPONSE, NETWORK_MISMATCH, UPSTREAM_TIMEOUT,
 *   INVALID_DB_PATH, INVALID_RANGE, SYNC_IN_PROGRESS, NODE_BEHIND, REORG_TOO_DEEP, NO_WALLET, INVALID_PASSWORD_FORMAT,
 *   WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_lwd_sync_compact(
    companion *handle,
    const char *compact_server_url,
    const char *db_path,
    int64_t start_height,
    int64_t end_height,
    const char *password,
    char **answer);

/*
 * Remove old blocks from the local store, asked for or not, and give their room back to the disk (POST /api/lwd/prune).
 * compact_server_url: Compact-block server: https://, http://, or host:port on loopback. May be left out.
 * db_path: Compact store: a .db, .sqlite or .sqlite3 file; relative means inside the data directory. May be left out.
 * below_height: Blocks below it go; with keep: those that both name. May be left out.
 * keep: So many heights up to the store's top stay; 0: all blocks go. May be left out.
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with INVALID_URL, NETWORK_MISMATCH, INVALID_DB_PATH, SYNC_IN_PROGRESS, NO_WALLET, INVALID_PASSWORD_FORMAT,
 *   WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_lwd_prune(
    companion *handle,
    const char *compact_server_url,
    const char *db_path,
    int64_t below_height,
    int64_t keep,
    const char *password,
    char **answer);

/*
 * Ask to be let in, as a browser extension that is not on allowed_origins; ask again for the answer (POST /api/pair).
 * origin: Its own, as the browser sends it in the header Origin.
 * name: Shown to the person who decides. May be left out.
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with ORIGIN_FORBIDDEN, NO_WALLET, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT,
 *   NETWORK_MISMATCH, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_pair_request(
    companion *handle,
    const char *origin,
    const char *name,
    const char *password,
    char **answer);

/*
 * Extensions that ask to be let in, and those that are (GET /api/pair).
 * Fails with INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_pair_list(companion *handle, char **answer);

/*
 * Let the extension in that shows this code (POST /api/pair/allow).
 * code: What the extension shows, such as `K7F-2QX`.
 * password: Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC).
 * Fails with NO_WALLET, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT, NETWORK_MISMATCH,
 *   NOT_FOUND, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_pair_allow(
    companion *handle,
    const char *code,
    const char *password,
    char **answer);

/*
 * Refuse the extension that shows this code; for ten minutes it cannot ask again (POST /api/pair/refuse).
 * code: What the extension shows, such as `K7F-2QX`.
 * password: Not needed; when given it is checked first, and opens the session. May be left out.
 * Fails with NOT_FOUND, NO_WALLET, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT,
 *   NETWORK_MISMATCH, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_pair_refuse(
    companion *handle,
    const char *code,
    const char *password,
    char **answer);

/*
 * Let an extension in no longer (POST /api/pair/revoke).
 * origin: see docs/api.md.
 * password: Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC).
 * Fails with NO_WALLET, INVALID_PASSWORD_FORMAT, WRONG_PASSWORD, TOO_MANY_ATTEMPTS, WALLET_CORRUPT, NETWORK_MISMATCH,
 *   NOT_FOUND, INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_pair_revoke(
    companion *handle,
    const char *origin,
    const char *password,
    char **answer);

/*
 * Tell whether the hooks of config.json deliver (GET /api/hooks).
 * Fails with INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_hooks_list(companion *handle, char **answer);

/*
 * Name, version and network of this companion (GET /api/version).
 * Fails with INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_version(companion *handle, char **answer);

/*
 * Tell whether the configured node and compact server answer, and how far the wallet is (GET /api/status).
 * known: Tell what is known and ask nobody. Default: servers not asked for 30 seconds are asked. May be left out.
 * Fails with INVALID_REQUEST, INTERNAL, STORAGE_FAILED, BUSY, THREAD_LOST.
 */
COMPANION_API companion_code companion_status(companion *handle, int32_t known, char **answer);

#ifdef __cplusplus
}
#endif

#endif
