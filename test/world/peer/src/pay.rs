//! Payments: proposed, proved and signed by the crates, and given back as bytes for the test to send.

use std::convert::Infallible;

use rand::{rand_core::UnwrapErr, rngs::SysRng};
use serde::Deserialize;
use serde_json::{json, Value};
use zcash_client_backend::{
    data_api::{
        wallet::{
            create_proposed_transactions,
            input_selection::{GreedyInputSelector, SpendPolicy},
            propose_transfer, ConfirmationsPolicy, SpendingKeys,
        },
        WalletRead,
    },
    fees::{standard::SingleOutputChangeStrategy, DustOutputPolicy, StandardFeeRule},
    wallet::OvkPolicy,
    zip321::{Payment as Zip321Payment, TransactionRequest},
};
use zcash_client_sqlite::{error::SqliteClientError, util::SystemClock};
use zcash_keys::address::Address;
use zcash_proofs::prover::LocalTxProver;
use zcash_protocol::{
    memo::{Memo, MemoBytes},
    value::Zatoshis,
    ShieldedPool,
};

use crate::{
    shown,
    wallet::{Database, Peer},
    Outcome,
};

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Pool {
    Sapling,
    Orchard,
    Ironwood,
}

impl From<Pool> for ShieldedPool {
    fn from(pool: Pool) -> Self {
        match pool {
            Pool::Sapling => ShieldedPool::Sapling,
            Pool::Orchard => ShieldedPool::Orchard,
            Pool::Ironwood => ShieldedPool::Ironwood,
        }
    }
}

#[derive(Deserialize)]
pub struct Payment {
    account: u32,
    address: String,
    zatoshi: u64,
    memo: Option<String>,
    /// The pool to spend from; its notes' change goes there where the chain still allows it.
    from: Pool,
}

pub fn pay(peer: &mut Peer, payment: Payment) -> Outcome<Value> {
    let account = *peer
        .accounts
        .get(payment.account as usize)
        .ok_or("no such account")?;
    let address = Address::decode(&peer.params, &payment.address).ok_or("no address")?;
    let memo = payment
        .memo
        .map(|text| text.parse::<Memo>().map(|memo| MemoBytes::from(&memo)))
        .transpose()
        .map_err(shown)?;
    let amount = Zatoshis::from_u64(payment.zatoshi).map_err(shown)?;
    let to = address.to_zcash_address(&peer.params);
    let payment_request =
        Zip321Payment::new(to, Some(amount), memo, None, None, vec![]).map_err(shown)?;
    let from = ShieldedPool::from(payment.from);
    let proposal = propose_transfer::<_, _, _, _, SqliteClientError>(
        &mut peer.database,
        &peer.params,
        account,
        &GreedyInputSelector::<Database>::new(),
        &SingleOutputChangeStrategy::<Database>::new(
            StandardFeeRule::Zip317,
            None,
            from,
            DustOutputPolicy::default(),
        ),
        TransactionRequest::new(vec![payment_request]).map_err(shown)?,
        ConfirmationsPolicy::MIN,
        &SpendPolicy::shielded_pools([from]),
        None,
        None,
    )
    .map_err(shown)?;
    let keys = SpendingKeys::from_unified_spending_key(peer.spending_key(payment.account)?);
    let prover = LocalTxProver::bundled();
    let txids = create_proposed_transactions::<_, _, Infallible, _, Infallible, _>(
        &mut peer.database,
        &peer.params,
        &SystemClock,
        &mut UnwrapErr(SysRng),
        &prover,
        &prover,
        &keys,
        OvkPolicy::Sender,
        &proposal,
        None,
    )
    .map_err(shown)?;
    let raw = |txid| {
        let transaction = peer.database.get_transaction(txid).map_err(shown)?;
        let mut bytes = Vec::new();
        transaction
            .ok_or("the new transaction is not there")?
            .write(&mut bytes)
            .map_err(shown)?;
        Ok(json!({ "txid": txid.to_string(), "raw": hex::encode(bytes) }))
    };
    txids.iter().copied().map(raw).collect()
}
