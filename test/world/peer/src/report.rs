//! What the wallet knows. Notes and sent notes come from its tables: the crate has no call that lists all of them.

use rusqlite::{types::ValueRef, Connection, Row};
use serde_json::{json, Map, Value};
use zcash_client_backend::data_api::{wallet::ConfirmationsPolicy, Balance, WalletRead};

use crate::{shown, wallet::Peer, Outcome};

/// Only what is mined: after a reorganisation the tables still have what the abandoned branch had.
fn notes_of(pool: &str, index: &str) -> String {
    format!(
        "SELECT '{pool}' AS pool, n.account_id AS account_row, t.txid AS txid, t.mined_height AS height,
                n.{index} AS output_index, n.value AS value, n.memo AS memo,
                n.commitment_tree_position AS position, n.recipient_key_scope AS scope,
                a.diversifier_index_be AS diversifier_index,
                (SELECT s.txid FROM {pool}_received_note_spends ns
                   JOIN transactions s ON s.id_tx = ns.transaction_id
                  WHERE ns.{pool}_received_note_id = n.id AND s.mined_height IS NOT NULL) AS spent_in
           FROM {pool}_received_notes n
           JOIN transactions t ON t.id_tx = n.transaction_id
           LEFT JOIN addresses a ON a.id = n.address_id
          WHERE t.mined_height IS NOT NULL"
    )
}

const SENT: &str = "
    SELECT s.from_account_id AS account_row, t.txid AS txid, t.fee AS fee, s.output_pool AS pool,
           s.output_index AS output_index, s.to_address AS address, s.value AS value, s.memo AS memo
      FROM sent_notes s
      JOIN transactions t ON t.id_tx = s.transaction_id
     WHERE t.mined_height IS NOT NULL";

fn hexadecimal(name: &str, bytes: &[u8]) -> String {
    let mut bytes = bytes.to_vec();
    // Transactions are named in the order of display.
    if matches!(name, "txid" | "spent_in") {
        bytes.reverse();
    }
    hex::encode(bytes)
}

fn as_json(row: &Row, names: &[String]) -> rusqlite::Result<Value> {
    let mut object = Map::new();
    for name in names {
        let value = match row.get_ref(name.as_str())? {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(number) => json!(number),
            ValueRef::Real(number) => json!(number),
            ValueRef::Text(text) => json!(String::from_utf8_lossy(text)),
            ValueRef::Blob(bytes) => json!(hexadecimal(name, bytes)),
        };
        object.insert(name.clone(), value);
    }
    Ok(Value::Object(object))
}

fn rows(peer: &Peer, query: &str) -> Outcome<Value> {
    let connection = Connection::open(&peer.file).map_err(shown)?;
    let mut statement = connection.prepare(query).map_err(shown)?;
    let names: Vec<String> = statement
        .column_names()
        .into_iter()
        .map(str::to_owned)
        .collect();
    let rows = statement
        .query_map([], |row| as_json(row, &names))
        .and_then(Iterator::collect::<rusqlite::Result<Vec<_>>>);
    rows.map(Value::Array).map_err(shown)
}

pub fn notes(peer: &Peer) -> Outcome<Value> {
    let pools = [
        ("sapling", "output_index"),
        ("orchard", "action_index"),
        ("ironwood", "action_index"),
    ];
    let queries = pools.map(|(pool, index)| notes_of(pool, index));
    rows(peer, &queries.join(" UNION ALL "))
}

pub fn sent(peer: &Peer) -> Outcome<Value> {
    rows(peer, SENT)
}

fn amounts(balance: &Balance) -> Value {
    json!({
        "total": balance.total().into_u64(),
        "spendable": balance.spendable_value().into_u64(),
        "uneconomic": balance.uneconomic_value().into_u64(),
    })
}

/// By account, with one confirmation of every note. They count transactions that are not mined until these expire, so the
/// number of such transactions comes with them.
pub fn balances(peer: &Peer) -> Outcome<Value> {
    let summary = peer.database.get_wallet_summary(ConfirmationsPolicy::MIN);
    let summary = summary.map_err(shown)?.ok_or("nothing was scanned")?;
    let of = |account| -> Outcome<Value> {
        let balance = summary.account_balances().get(account);
        let balance = balance.ok_or("an account without a balance")?;
        Ok(json!({
            "sapling": amounts(balance.sapling_balance()),
            "orchard": amounts(balance.orchard_balance()),
            "ironwood": amounts(balance.ironwood_balance()),
        }))
    };
    let accounts = peer.accounts.iter().map(of).collect::<Outcome<Value>>()?;
    let unmined = rows(
        peer,
        "SELECT txid FROM transactions WHERE mined_height IS NULL",
    )?;
    Ok(json!({ "accounts": accounts, "unmined": unmined }))
}
