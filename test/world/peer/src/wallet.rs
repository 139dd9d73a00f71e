//! A wallet's database, its keys and the server that it reads.

use std::{path::PathBuf, rc::Rc};

use bip0039::{English, Mnemonic};
use rand::{rand_core::UnwrapErr, rngs::SysRng};
use secrecy::{ExposeSecret, SecretVec};
use serde::Deserialize;
use serde_json::{json, Value};
use tokio::runtime::{Builder, Runtime};
use tonic::transport::{Channel, Endpoint};
use zcash_client_backend::{
    data_api::{Account, AccountBirthday, AccountPurpose, WalletRead, WalletWrite},
    proto::service::compact_tx_streamer_client::CompactTxStreamerClient,
};
use zcash_client_sqlite::{util::SystemClock, wallet::init::init_wallet_db, AccountUuid, WalletDb};
use zcash_keys::{
    address::Address,
    encoding::AddressCodec,
    keys::{
        ReceiverRequirement::{Omit, Require},
        ReceiverRequirements, UnifiedAddressRequest, UnifiedFullViewingKey, UnifiedSpendingKey,
    },
};
use zcash_protocol::{consensus::BlockHeight, local_consensus::LocalNetwork};
use zip32::{AccountId, DiversifierIndex};

use crate::{shown, sync::chain_state, Outcome};

pub type Server = CompactTxStreamerClient<Channel>;
pub type Rng = UnwrapErr<SysRng>;
pub type Database = WalletDb<rusqlite::Connection, LocalNetwork, SystemClock, Rng>;

/// Every upgrade before these is active from block 1.
#[derive(Clone, Copy, Deserialize)]
pub struct Heights {
    nu6_3: Option<u32>,
    nu7: Option<u32>,
}

impl From<Heights> for LocalNetwork {
    fn from(Heights { nu6_3, nu7 }: Heights) -> Self {
        let at_one = Some(BlockHeight::from_u32(1));
        LocalNetwork {
            overwinter: at_one,
            sapling: at_one,
            blossom: at_one,
            heartwood: at_one,
            canopy: at_one,
            nu5: at_one,
            nu6: at_one,
            nu6_1: at_one,
            nu6_2: at_one,
            nu6_3: nu6_3.map(BlockHeight::from_u32),
            nu7: nu7.map(BlockHeight::from_u32),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Keys {
    Mnemonic(String),
    /// Watch-only.
    ViewingKeys(Vec<String>),
}

#[derive(Deserialize)]
pub struct Opening {
    heights: Heights,
    /// Made where it does not exist.
    file: PathBuf,
    keys: Keys,
    /// How many of the phrase's.
    #[serde(default)]
    accounts: u32,
    birthday: u32,
    /// A compact-block server's URL.
    server: String,
}

pub struct Peer {
    pub params: LocalNetwork,
    pub file: PathBuf,
    pub database: Database,
    endpoint: Endpoint,
    pub server: Server,
    pub runtime: Rc<Runtime>,
    /// In their order in the phrase, or of their keys.
    pub accounts: Vec<AccountUuid>,
    seed: Option<SecretVec<u8>>,
}

async fn connected(endpoint: &Endpoint) -> Outcome<Server> {
    let channel = endpoint.connect().await.map_err(shown)?;
    Ok(CompactTxStreamerClient::new(channel))
}

impl Peer {
    /// Between commands nothing answers the server's pings, and it may have closed the connection.
    pub async fn reconnect(&mut self) -> Outcome<()> {
        self.server = connected(&self.endpoint).await?;
        Ok(())
    }

    pub fn open(opening: Opening) -> Outcome<Self> {
        let params = LocalNetwork::from(opening.heights);
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(shown)?;
        let endpoint = Endpoint::from_shared(opening.server).map_err(shown)?;
        let mut server = runtime.block_on(connected(&endpoint))?;
        let rng = UnwrapErr(SysRng);
        let mut database =
            WalletDb::for_path(&opening.file, params, SystemClock, rng).map_err(shown)?;
        init_wallet_db(&mut database, None).map_err(shown)?;
        let before = runtime.block_on(chain_state(&mut server, opening.birthday - 1))?;
        let birthday = AccountBirthday::from_parts(before, None);
        let mut peer = Peer {
            params,
            file: opening.file,
            database,
            endpoint,
            server,
            runtime: Rc::new(runtime),
            accounts: Vec::new(),
            seed: None,
        };
        match opening.keys {
            Keys::Mnemonic(phrase) => {
                let mnemonic = Mnemonic::<English>::from_phrase(phrase).map_err(shown)?;
                let seed = SecretVec::new(mnemonic.to_seed("").to_vec());
                for _ in 0..opening.accounts {
                    let (account, _) = peer
                        .database
                        .create_account("", &seed, &birthday, None)
                        .map_err(shown)?;
                    peer.accounts.push(account);
                }
                peer.seed = Some(seed);
            }
            Keys::ViewingKeys(keys) => {
                for key in keys {
                    let key = UnifiedFullViewingKey::decode(&params, &key).map_err(shown)?;
                    let account = peer
                        .database
                        .import_account_ufvk("", &key, &birthday, AccountPurpose::ViewOnly, None)
                        .map_err(shown)?;
                    peer.accounts.push(account.id());
                }
            }
        }
        Ok(peer)
    }

    pub fn spending_key(&self, account: u32) -> Outcome<UnifiedSpendingKey> {
        let seed = self.seed.as_ref().ok_or("opened without a phrase")?;
        let account = AccountId::try_from(account).map_err(shown)?;
        UnifiedSpendingKey::from_seed(&self.params, seed.expose_secret(), account).map_err(shown)
    }

    fn keys(&self) -> Outcome<Vec<UnifiedFullViewingKey>> {
        let mut keys = self
            .database
            .get_unified_full_viewing_keys()
            .map_err(shown)?;
        let of = |account| {
            keys.remove(account)
                .ok_or("an account without a key".into())
        };
        self.accounts.iter().map(of).collect()
    }

    pub fn viewing_keys(&self) -> Outcome<Vec<String>> {
        let encoded = |key: &UnifiedFullViewingKey| key.encode(&self.params).map_err(shown);
        self.keys()?.iter().map(encoded).collect()
    }

    /// By account and diversifier index, with both shielded receivers; null where an index has none for Sapling.
    pub fn addresses(&self, count: u32) -> Outcome<Value> {
        let both = ReceiverRequirements::new(Require, Require, Omit).map_err(shown)?;
        let request = UnifiedAddressRequest::Custom(both);
        let at = |key: &UnifiedFullViewingKey, index: u32| {
            let index = DiversifierIndex::from(index);
            let unified = key.address(index, request).ok();
            let sapling = key.sapling().and_then(|key| key.address(index));
            json!({
                "unified": unified.map(|ua| Address::from(ua).encode(&self.params)),
                "sapling": sapling.map(|address| address.encode(&self.params)),
            })
        };
        let of = |key: &UnifiedFullViewingKey| (0..count).map(|i| at(key, i)).collect::<Value>();
        Ok(self.keys()?.iter().map(of).collect())
    }
}
