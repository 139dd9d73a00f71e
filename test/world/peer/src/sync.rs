//! Reads a compact-block server as the crate's documentation describes it: subtree roots, the tip, the ranges that the wallet
//! suggests, each from the tree state below it; and in full the transactions that the wallet asks for.
//!
//! The crate's own loop goes ten blocks back where a block does not link, and sees no branch that is not longer. Here the
//! fork is looked for first, by the hashes of the wallet's blocks.

use serde_json::{json, Value};
use tonic::Code;
use zcash_client_backend::{
    data_api::{
        chain::{error::Error, scan_cached_blocks, BlockSource, ChainState, CommitmentTreeRoot},
        wallet::decrypt_and_store_transaction,
        TransactionDataRequest, TransactionStatus, WalletCommitmentTrees, WalletRead, WalletWrite,
    },
    proto::{
        compact_formats::CompactBlock,
        service::{BlockId, BlockRange, ChainSpec, GetSubtreeRootsArg, ShieldedProtocol, TxFilter},
    },
};
use zcash_primitives::{merkle_tree::HashSer, transaction::Transaction};
use zcash_protocol::{
    consensus::{BlockHeight, BranchId},
    TxId,
};

use crate::{
    shown,
    wallet::{Peer, Server},
    Outcome,
};

const BLOCKS_AT_ONCE: u32 = 1000;

struct Blocks(Vec<CompactBlock>);

impl BlockSource for Blocks {
    type Error = std::convert::Infallible;

    fn with_blocks<F, W>(
        &self,
        from_height: Option<BlockHeight>,
        limit: Option<usize>,
        with_block: F,
    ) -> Result<(), Error<W, Self::Error>>
    where
        F: FnMut(CompactBlock) -> Result<(), Error<W, Self::Error>>,
    {
        let from = from_height.unwrap_or(BlockHeight::from_u32(0));
        self.0
            .iter()
            .filter(|block| block.height() >= from)
            .take(limit.unwrap_or(usize::MAX))
            .cloned()
            .try_for_each(with_block)
    }
}

fn at(height: u32) -> BlockId {
    BlockId {
        height: height.into(),
        hash: vec![],
    }
}

/// The chain's trees after the block at `height`.
pub async fn chain_state(server: &mut Server, height: u32) -> Outcome<ChainState> {
    let state = server.get_tree_state(at(height)).await.map_err(shown)?;
    state.into_inner().to_chain_state().map_err(shown)
}

async fn blocks(server: &mut Server, first: u32, last: u32) -> Outcome<Blocks> {
    let range = BlockRange {
        start: Some(at(first)),
        end: Some(at(last)),
        pool_types: vec![],
    };
    let mut stream = server
        .get_block_range(range)
        .await
        .map_err(shown)?
        .into_inner();
    let mut blocks = Vec::new();
    while let Some(block) = stream.message().await.map_err(shown)? {
        blocks.push(block);
    }
    Ok(Blocks(blocks))
}

async fn subtree_roots<N: HashSer>(
    server: &mut Server,
    pool: ShieldedProtocol,
) -> Outcome<Vec<CommitmentTreeRoot<N>>> {
    let mut request = GetSubtreeRootsArg::default();
    request.set_shielded_protocol(pool);
    let mut stream = server
        .get_subtree_roots(request)
        .await
        .map_err(shown)?
        .into_inner();
    let mut roots = Vec::new();
    while let Some(root) = stream.message().await.map_err(shown)? {
        let height = u32::try_from(root.completing_block_height).map_err(shown)?;
        let hash = N::read(&root.root_hash[..]).map_err(shown)?;
        roots.push(CommitmentTreeRoot::from_parts(height.into(), hash));
    }
    Ok(roots)
}

/// The highest block that wallet and server share, where it is not the wallet's last one.
async fn fork(peer: &mut Peer, tip: u32) -> Outcome<Option<u32>> {
    let Some((last, _)) = peer.database.get_max_height_hash().map_err(shown)? else {
        return Ok(None);
    };
    let last = u32::from(last);
    for height in (1..=last).rev() {
        let known = peer.database.get_block_hash(height.into()).map_err(shown)?;
        if height <= tip {
            let block = peer.server.get_block(at(height)).await.map_err(shown)?;
            // Where the wallet has no block, it has nothing to undo.
            if known.is_none_or(|known| known == block.into_inner().hash()) {
                return Ok((height < last).then_some(height));
            }
        }
    }
    Err("the chain has another beginning".into())
}

async fn read_ranges(peer: &mut Peer) -> Outcome<Value> {
    peer.reconnect().await?;
    let latest = peer.server.get_latest_block(ChainSpec::default()).await;
    let tip = u32::try_from(latest.map_err(shown)?.into_inner().height).map_err(shown)?;
    let fork = fork(peer, tip).await?;
    if let Some(height) = fork {
        let state = chain_state(&mut peer.server, height).await?;
        peer.database
            .truncate_to_chain_state(state)
            .map_err(shown)?;
    }
    let (server, database) = (&mut peer.server, &mut peer.database);
    let sapling = subtree_roots(server, ShieldedProtocol::Sapling).await?;
    let orchard = subtree_roots(server, ShieldedProtocol::Orchard).await?;
    let ironwood = subtree_roots(server, ShieldedProtocol::Ironwood).await?;
    database
        .put_sapling_subtree_roots(0, &sapling)
        .map_err(shown)?;
    database
        .put_orchard_subtree_roots(0, &orchard)
        .map_err(shown)?;
    database
        .put_ironwood_subtree_roots(0, &ironwood)
        .map_err(shown)?;
    database.update_chain_tip(tip.into()).map_err(shown)?;
    while let Some(range) = database
        .suggest_scan_ranges()
        .map_err(shown)?
        .first()
        .cloned()
    {
        let first = u32::from(range.block_range().start);
        let end = u32::from(range.block_range().end).min(first + BLOCKS_AT_ONCE);
        let state = chain_state(server, first - 1).await?;
        let source = blocks(server, first, end - 1).await?;
        let count = (end - first) as usize;
        scan_cached_blocks(&peer.params, &source, database, first.into(), &state, count)
            .map_err(shown)?;
    }
    Ok(json!({ "tip": tip, "fork": fork }))
}

pub fn sync(peer: &mut Peer) -> Outcome<Value> {
    peer.runtime.clone().block_on(read_ranges(peer))
}

/// The transaction with the height that the server gives, or nothing where it has none.
async fn transaction(peer: &mut Peer, txid: TxId) -> Outcome<Option<(Transaction, u64)>> {
    let filter = TxFilter {
        block: None,
        index: 0,
        hash: txid.as_ref().to_vec(),
    };
    let answer = match peer.server.get_transaction(filter).await {
        Ok(answer) => answer.into_inner(),
        // Servers differ in how they say that they do not know it.
        Err(status) if matches!(status.code(), Code::NotFound | Code::Unknown) => return Ok(None),
        Err(status) => return Err(shown(status)),
    };
    let mined = u32::try_from(answer.height)
        .ok()
        .filter(|&height| height > 0);
    let branch = BranchId::for_height(&peer.params, mined.unwrap_or(u32::MAX).into());
    let transaction = Transaction::read(&answer.data[..], branch).map_err(shown)?;
    Ok(Some((transaction, answer.height)))
}

async fn read_transactions(peer: &mut Peer) -> Outcome<Value> {
    peer.reconnect().await?;
    let mut read = 0;
    let requests = peer.database.transaction_data_requests();
    for request in requests.map_err(shown)? {
        let (txid, in_full) = match request {
            TransactionDataRequest::GetStatus(txid) => (txid, false),
            TransactionDataRequest::Enhancement(txid) => (txid, true),
            // Transparent funds are not compared.
            _ => continue,
        };
        let found = transaction(peer, txid).await?;
        let status = match &found {
            None => TransactionStatus::TxidNotRecognized,
            Some((_, 0 | u64::MAX)) => TransactionStatus::NotInMainChain,
            Some((_, height)) => {
                TransactionStatus::Mined(BlockHeight::try_from(*height).map_err(shown)?)
            }
        };
        match (found, status) {
            (Some((transaction, _)), TransactionStatus::Mined(height)) if in_full => {
                let (params, database) = (&peer.params, &mut peer.database);
                decrypt_and_store_transaction(params, database, &transaction, Some(height))
                    .map_err(shown)?;
                read += 1;
            }
            _ => peer
                .database
                .set_transaction_status(txid, status)
                .map_err(shown)?,
        }
    }
    Ok(json!({ "read": read }))
}

pub fn enhance(peer: &mut Peer) -> Outcome<Value> {
    peer.runtime.clone().block_on(read_transactions(peer))
}
