/* Made from the operation table by `node scripts/bindings.mjs`; do not edit. */
#include "../invocation.h"

#include <string.h>

size_t invocation_limit(const char *command) {
  if (strcmp(command, "pczt_inspect") == 0) return 2162688;
  if (strcmp(command, "payments_combine") == 0) return 2162688;
  return 65536;
}

companion_code companion_wallet_exists(companion *handle, char **answer) {
  invocation call = {{0}};
  return invocation_run(&call, handle, "wallet_exists", answer);
}

companion_code companion_wallet_status(companion *handle, char **answer) {
  invocation call = {{0}};
  return invocation_run(&call, handle, "wallet_status", answer);
}

companion_code companion_wallet_create(
    companion *handle,
    const char *password,
    int64_t word_count,
    int64_t birthday_height,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "password", password);
  invocation_integer(&call, "word_count", word_count);
  invocation_integer(&call, "birthday_height", birthday_height);
  return invocation_run(&call, handle, "wallet_create", answer);
}

companion_code companion_wallet_restore(
    companion *handle,
    const char *mnemonic,
    const char *password,
    int64_t birthday_height,
    const char *bip39_passphrase,
    const char *birthday,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "mnemonic", mnemonic);
  invocation_text(&call, "password", password);
  invocation_integer(&call, "birthday_height", birthday_height);
  invocation_text(&call, "bip39_passphrase", bip39_passphrase);
  invocation_text(&call, "birthday", birthday);
  return invocation_run(&call, handle, "wallet_restore", answer);
}

companion_code companion_wallet_import_viewing_key(
    companion *handle,
    const char *viewing_key,
    const char *password,
    int64_t birthday_height,
    const char *birthday,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "viewing_key", viewing_key);
  invocation_text(&call, "password", password);
  invocation_integer(&call, "birthday_height", birthday_height);
  invocation_text(&call, "birthday", birthday);
  return invocation_run(&call, handle, "wallet_import_viewing_key", answer);
}

companion_code companion_wallet_unlock(companion *handle, const char *password, char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "wallet_unlock", answer);
}

companion_code companion_wallet_lock(companion *handle, const char *password, char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "wallet_lock", answer);
}

companion_code companion_wallet_change_password(
    companion *handle,
    const char *password,
    const char *new_password,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "password", password);
  invocation_text(&call, "new_password", new_password);
  return invocation_run(&call, handle, "wallet_change_password", answer);
}

companion_code companion_wallet_backup(companion *handle, const char *password, char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "wallet_backup", answer);
}

companion_code companion_wallet_rescan(
    companion *handle,
    int64_t from_height,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_integer(&call, "from_height", from_height);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "wallet_rescan", answer);
}

companion_code companion_wallet_viewing_key(
    companion *handle,
    const char *password,
    int64_t account,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "password", password);
  invocation_integer(&call, "account", account);
  return invocation_run(&call, handle, "wallet_viewing_key", answer);
}

companion_code companion_wallets_list(companion *handle, char **answer) {
  invocation call = {{0}};
  return invocation_run(&call, handle, "wallets_list", answer);
}

companion_code companion_config_get(companion *handle, char **answer) {
  invocation call = {{0}};
  return invocation_run(&call, handle, "config_get", answer);
}

companion_code companion_config_node_url(
    companion *handle,
    const char *url,
    int32_t probe,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "url", url);
  invocation_flag(&call, "probe", probe);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "config_node_url", answer);
}

companion_code companion_config_compact_server_url(
    companion *handle,
    const char *url,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "url", url);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "config_compact_server_url", answer);
}

companion_code companion_config_theme(
    companion *handle,
    const char *theme,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "theme", theme);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "config_theme", answer);
}

companion_code companion_balance(companion *handle, int64_t account, char **answer) {
  invocation call = {{0}};
  invocation_integer(&call, "account", account);
  return invocation_run(&call, handle, "balance", answer);
}

companion_code companion_address_get(
    companion *handle,
    int64_t account,
    const char *diversifier_index,
    char **answer) {
  invocation call = {{0}};
  invocation_integer(&call, "account", account);
  invocation_text(&call, "diversifier_index", diversifier_index);
  return invocation_run(&call, handle, "address_get", answer);
}

companion_code companion_address_next(
    companion *handle,
    int64_t account,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_integer(&call, "account", account);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "address_next", answer);
}

companion_code companion_notes_list(
    companion *handle,
    int64_t account,
    const char *pool,
    int32_t unspent,
    int64_t limit,
    const char *cursor,
    char **answer) {
  invocation call = {{0}};
  invocation_integer(&call, "account", account);
  invocation_text(&call, "pool", pool);
  invocation_flag(&call, "unspent", unspent);
  invocation_integer(&call, "limit", limit);
  invocation_text(&call, "cursor", cursor);
  return invocation_run(&call, handle, "notes_list", answer);
}

companion_code companion_transactions_list(
    companion *handle,
    int64_t account,
    int64_t limit,
    const char *cursor,
    char **answer) {
  invocation call = {{0}};
  invocation_integer(&call, "account", account);
  invocation_integer(&call, "limit", limit);
  invocation_text(&call, "cursor", cursor);
  return invocation_run(&call, handle, "transactions_list", answer);
}

companion_code companion_accounts_list(companion *handle, char **answer) {
  invocation call = {{0}};
  return invocation_run(&call, handle, "accounts_list", answer);
}

companion_code companion_accounts_create(
    companion *handle,
    const char *password,
    int64_t birthday_height,
    const char *birthday,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "password", password);
  invocation_integer(&call, "birthday_height", birthday_height);
  invocation_text(&call, "birthday", birthday);
  return invocation_run(&call, handle, "accounts_create", answer);
}

companion_code companion_changes_list(companion *handle, const char *since, int64_t limit, char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "since", since);
  invocation_integer(&call, "limit", limit);
  return invocation_run(&call, handle, "changes_list", answer);
}

companion_code companion_notes_witness(
    companion *handle,
    const char *txid,
    const char *pool,
    int64_t output_index,
    int64_t anchor_height,
    const char *source,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "txid", txid);
  invocation_text(&call, "pool", pool);
  invocation_integer(&call, "output_index", output_index);
  invocation_integer(&call, "anchor_height", anchor_height);
  invocation_text(&call, "source", source);
  return invocation_run(&call, handle, "notes_witness", answer);
}

companion_code companion_labels_list(companion *handle, int64_t account, char **answer) {
  invocation call = {{0}};
  invocation_integer(&call, "account", account);
  return invocation_run(&call, handle, "labels_list", answer);
}

companion_code companion_labels_set(
    companion *handle,
    int64_t account,
    const char *diversifier_index,
    const char *label,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_integer(&call, "account", account);
  invocation_text(&call, "diversifier_index", diversifier_index);
  invocation_text(&call, "label", label);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "labels_set", answer);
}

companion_code companion_labels_remove(
    companion *handle,
    int64_t account,
    const char *diversifier_index,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_integer(&call, "account", account);
  invocation_text(&call, "diversifier_index", diversifier_index);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "labels_remove", answer);
}

companion_code companion_transactions_export(
    companion *handle,
    const char *format,
    int64_t account,
    int64_t limit,
    const char *cursor,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "format", format);
  invocation_integer(&call, "account", account);
  invocation_integer(&call, "limit", limit);
  invocation_text(&call, "cursor", cursor);
  return invocation_run(&call, handle, "transactions_export", answer);
}

companion_code companion_balance_at(
    companion *handle,
    int64_t height,
    const char *date,
    int64_t account,
    char **answer) {
  invocation call = {{0}};
  invocation_integer(&call, "height", height);
  invocation_text(&call, "date", date);
  invocation_integer(&call, "account", account);
  return invocation_run(&call, handle, "balance_at", answer);
}

companion_code companion_payment_uri_create(
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
    char **answer) {
  invocation call = {{0}};
  invocation_integer(&call, "account", account);
  invocation_text(&call, "diversifier_index", diversifier_index);
  invocation_text(&call, "address", address);
  invocation_text(&call, "amount", amount);
  invocation_integer(&call, "zatoshi", zatoshi);
  invocation_text(&call, "memo", memo);
  invocation_text(&call, "label", label);
  invocation_text(&call, "message", message);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "payment_uri_create", answer);
}

companion_code companion_payment_uri_qr(
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
    char **answer) {
  invocation call = {{0}};
  invocation_integer(&call, "account", account);
  invocation_text(&call, "diversifier_index", diversifier_index);
  invocation_text(&call, "address", address);
  invocation_text(&call, "amount", amount);
  invocation_integer(&call, "zatoshi", zatoshi);
  invocation_text(&call, "memo", memo);
  invocation_text(&call, "label", label);
  invocation_text(&call, "message", message);
  invocation_text(&call, "format", format);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "payment_uri_qr", answer);
}

companion_code companion_payment_uri_parse(
    companion *handle,
    const char *uri,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "uri", uri);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "payment_uri_parse", answer);
}

companion_code companion_pczt_inspect(
    companion *handle,
    const char *pczt,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "pczt", pczt);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "pczt_inspect", answer);
}

companion_code companion_payments_prepare(
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
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "uri", uri);
  invocation_json(&call, "recipients", recipients);
  invocation_text(&call, "address", address);
  invocation_text(&call, "amount", amount);
  invocation_integer(&call, "zatoshi", zatoshi);
  invocation_text(&call, "memo", memo);
  invocation_flag(&call, "everything", everything);
  invocation_integer(&call, "account", account);
  invocation_integer(&call, "confirmations", confirmations);
  invocation_integer(&call, "change_confirmations", change_confirmations);
  invocation_integer(&call, "expiry_height", expiry_height);
  invocation_names(&call, "privacy", privacy);
  invocation_text(&call, "change", change);
  invocation_names(&call, "pools", pools);
  invocation_integer(&call, "max_actions", max_actions);
  invocation_text(&call, "seed_fingerprint", seed_fingerprint);
  invocation_text(&call, "source", source);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "payments_prepare", answer);
}

companion_code companion_payments_list(
    companion *handle,
    int64_t account,
    int32_t open,
    int64_t limit,
    const char *cursor,
    char **answer) {
  invocation call = {{0}};
  invocation_integer(&call, "account", account);
  invocation_flag(&call, "open", open);
  invocation_integer(&call, "limit", limit);
  invocation_text(&call, "cursor", cursor);
  return invocation_run(&call, handle, "payments_list", answer);
}

companion_code companion_payments_get(companion *handle, const char *payment_id, char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "payment_id", payment_id);
  return invocation_run(&call, handle, "payments_get", answer);
}

companion_code companion_payments_pczt(
    companion *handle,
    const char *payment_id,
    const char *reader,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "payment_id", payment_id);
  invocation_text(&call, "reader", reader);
  return invocation_run(&call, handle, "payments_pczt", answer);
}

companion_code companion_payments_combine(
    companion *handle,
    const char *payment_id,
    const char *pczt,
    int32_t replace_proofs,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "payment_id", payment_id);
  invocation_text(&call, "pczt", pczt);
  invocation_flag(&call, "replace_proofs", replace_proofs);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "payments_combine", answer);
}

companion_code companion_payments_prove(
    companion *handle,
    const char *payment_id,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "payment_id", payment_id);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "payments_prove", answer);
}

companion_code companion_payments_broadcast(
    companion *handle,
    const char *payment_id,
    const char *password,
    const char *source,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "payment_id", payment_id);
  invocation_text(&call, "password", password);
  invocation_text(&call, "source", source);
  return invocation_run(&call, handle, "payments_broadcast", answer);
}

companion_code companion_payments_discard(
    companion *handle,
    const char *payment_id,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "payment_id", payment_id);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "payments_discard", answer);
}

companion_code companion_sync(
    companion *handle,
    const char *password,
    int64_t start_height,
    int64_t end_height,
    const char *node_url,
    const char *source,
    const char *verify_with,
    int32_t newest_first,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "password", password);
  invocation_integer(&call, "start_height", start_height);
  invocation_integer(&call, "end_height", end_height);
  invocation_text(&call, "node_url", node_url);
  invocation_text(&call, "source", source);
  invocation_text(&call, "verify_with", verify_with);
  invocation_flag(&call, "newest_first", newest_first);
  return invocation_run(&call, handle, "sync", answer);
}

companion_code companion_sync_status(companion *handle, char **answer) {
  invocation call = {{0}};
  return invocation_run(&call, handle, "sync_status", answer);
}

companion_code companion_sync_cancel(companion *handle, const char *password, char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "sync_cancel", answer);
}

companion_code companion_coverage(companion *handle, int64_t account, char **answer) {
  invocation call = {{0}};
  invocation_integer(&call, "account", account);
  return invocation_run(&call, handle, "coverage", answer);
}

companion_code companion_mempool(companion *handle, int64_t account, char **answer) {
  invocation call = {{0}};
  invocation_integer(&call, "account", account);
  return invocation_run(&call, handle, "mempool", answer);
}

companion_code companion_mempool_look(
    companion *handle,
    int64_t account,
    const char *source,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_integer(&call, "account", account);
  invocation_text(&call, "source", source);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "mempool_look", answer);
}

companion_code companion_follow_get(companion *handle, char **answer) {
  invocation call = {{0}};
  return invocation_run(&call, handle, "follow_get", answer);
}

companion_code companion_follow_set(
    companion *handle,
    int32_t enabled,
    const char *source,
    int32_t keep_open,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_flag(&call, "enabled", enabled);
  invocation_text(&call, "source", source);
  invocation_flag(&call, "keep_open", keep_open);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "follow_set", answer);
}

companion_code companion_lwd_info(
    companion *handle,
    const char *compact_server_url,
    const char *db_path,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "compact_server_url", compact_server_url);
  invocation_text(&call, "db_path", db_path);
  return invocation_run(&call, handle, "lwd_info", answer);
}

companion_code companion_lwd_chain_tip(
    companion *handle,
    const char *compact_server_url,
    const char *db_path,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "compact_server_url", compact_server_url);
  invocation_text(&call, "db_path", db_path);
  return invocation_run(&call, handle, "lwd_chain_tip", answer);
}

companion_code companion_lwd_sync_compact(
    companion *handle,
    const char *compact_server_url,
    const char *db_path,
    int64_t start_height,
    int64_t end_height,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "compact_server_url", compact_server_url);
  invocation_text(&call, "db_path", db_path);
  invocation_integer(&call, "start_height", start_height);
  invocation_integer(&call, "end_height", end_height);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "lwd_sync_compact", answer);
}

companion_code companion_lwd_prune(
    companion *handle,
    const char *compact_server_url,
    const char *db_path,
    int64_t below_height,
    int64_t keep,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "compact_server_url", compact_server_url);
  invocation_text(&call, "db_path", db_path);
  invocation_integer(&call, "below_height", below_height);
  invocation_integer(&call, "keep", keep);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "lwd_prune", answer);
}

companion_code companion_pair_request(
    companion *handle,
    const char *origin,
    const char *name,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "origin", origin);
  invocation_text(&call, "name", name);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "pair_request", answer);
}

companion_code companion_pair_list(companion *handle, char **answer) {
  invocation call = {{0}};
  return invocation_run(&call, handle, "pair_list", answer);
}

companion_code companion_pair_allow(
    companion *handle,
    const char *code,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "code", code);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "pair_allow", answer);
}

companion_code companion_pair_refuse(
    companion *handle,
    const char *code,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "code", code);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "pair_refuse", answer);
}

companion_code companion_pair_revoke(
    companion *handle,
    const char *origin,
    const char *password,
    char **answer) {
  invocation call = {{0}};
  invocation_text(&call, "origin", origin);
  invocation_text(&call, "password", password);
  return invocation_run(&call, handle, "pair_revoke", answer);
}

companion_code companion_hooks_list(companion *handle, char **answer) {
  invocation call = {{0}};
  return invocation_run(&call, handle, "hooks_list", answer);
}

companion_code companion_version(companion *handle, char **answer) {
  invocation call = {{0}};
  return invocation_run(&call, handle, "version", answer);
}

companion_code companion_status(companion *handle, int32_t known, char **answer) {
  invocation call = {{0}};
  invocation_flag(&call, "known", known);
  return invocation_run(&call, handle, "status", answer);
}
