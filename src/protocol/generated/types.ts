// Made from the operation table by `node scripts/bindings.mjs`; do not edit.

export interface Inputs {
  readonly 'wallet.exists': Readonly<Record<string, never>>;
  readonly 'wallet.status': Readonly<Record<string, never>>;
  readonly 'wallet.create': {
    /** Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC) */
    readonly password: string;
    /** Words in the recovery phrase (default 24) */
    readonly word_count?: 12 | 24 | undefined;
    /** Height below which this wallet holds nothing */
    readonly birthday_height?: number | undefined;
  };
  readonly 'wallet.restore': {
    /** BIP-39 recovery phrase, 12 to 24 English words */
    readonly mnemonic: string;
    /** Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC) */
    readonly password: string;
    /** Height below which this wallet holds nothing */
    readonly birthday_height?: number | undefined;
    /** BIP-39 passphrase ("25th word") that was used with the phrase */
    readonly bip39_passphrase?: string | undefined;
    /** Date before which this wallet holds nothing, instead of birthday_height: 2021, 2021-06 or 2021-06-15 (main network). The block taken is at most two weeks older, or the newest whose date is known here, of October 2026 */
    readonly birthday?: string | undefined;
  };
  readonly 'wallet.import_viewing_key': {
    /** Unified full or incoming viewing key (ZIP 316), or a Sapling extended full viewing key */
    readonly viewing_key: string;
    /** Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC) */
    readonly password: string;
    /** Height below which this wallet holds nothing */
    readonly birthday_height?: number | undefined;
    /** Date before which this wallet holds nothing, instead of birthday_height: 2021, 2021-06 or 2021-06-15 (main network). The block taken is at most two weeks older, or the newest whose date is known here, of October 2026 */
    readonly birthday?: string | undefined;
  };
  readonly 'wallet.unlock': {
    /** Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC) */
    readonly password: string;
  };
  readonly 'wallet.lock': {
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'wallet.change_password': {
    /** Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC) */
    readonly password: string;
    /** Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC) */
    readonly new_password: string;
  };
  readonly 'wallet.backup': {
    /** Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC) */
    readonly password: string;
  };
  readonly 'wallet.rescan': {
    /** Forget from this height up; left out: everything */
    readonly from_height?: number | undefined;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'wallet.viewing_key': {
    /** Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC) */
    readonly password: string;
    /** ZIP 32 account index (default 0) */
    readonly account?: number | undefined;
  };
  readonly 'wallets.list': Readonly<Record<string, never>>;
  readonly 'config.get': Readonly<Record<string, never>>;
  readonly 'config.node_url': {
    /** JSON-RPC endpoint of the chain node (http or https, no credentials) */
    readonly url: string;
    /** Ask the node first; keep the old URL when it does not answer */
    readonly probe?: boolean | undefined;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'config.compact_server_url': {
    /** Compact-block server: https://, http://, or host:port on loopback */
    readonly url: string;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'config.theme': {
    /** UI theme of companion frontends */
    readonly theme: 'system' | 'light' | 'dark';
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'balance.get': {
    /** ZIP 32 account index; left out: all accounts */
    readonly account?: number | undefined;
  };
  readonly 'address.get': {
    /** ZIP 32 account index (default 0) */
    readonly account?: number | undefined;
    /** Diversifier index, decimal (up to 88 bits) */
    readonly diversifier_index?: string | undefined;
  };
  readonly 'address.next': {
    /** ZIP 32 account index (default 0) */
    readonly account?: number | undefined;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'notes.list': {
    /** ZIP 32 account index; left out: all accounts */
    readonly account?: number | undefined;
    /** Shielded pool */
    readonly pool?: 'sapling' | 'orchard' | 'ironwood' | undefined;
    /** true: only unspent notes; otherwise all */
    readonly unspent?: boolean | undefined;
    /** Entries per page, at most 1,000 (default 100) */
    readonly limit?: number | undefined;
    /** `next_cursor` of the page before */
    readonly cursor?: string | undefined;
  };
  readonly 'transactions.list': {
    /** ZIP 32 account index; left out: all accounts */
    readonly account?: number | undefined;
    /** Entries per page, at most 1,000 (default 100) */
    readonly limit?: number | undefined;
    /** `next_cursor` of the page before */
    readonly cursor?: string | undefined;
  };
  readonly 'accounts.list': Readonly<Record<string, never>>;
  readonly 'accounts.create': {
    /** Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC) */
    readonly password: string;
    /** Height below which this wallet holds nothing */
    readonly birthday_height?: number | undefined;
    /** Date before which this wallet holds nothing, instead of birthday_height: 2021, 2021-06 or 2021-06-15 (main network). The block taken is at most two weeks older, or the newest whose date is known here, of October 2026 */
    readonly birthday?: string | undefined;
  };
  readonly 'changes.list': {
    /** `next_cursor` of the answer before, which stays good for ever; without it: from the beginning. `now`: no changes, only the cursor to go on from */
    readonly since?: string | undefined;
    /** Entries per page, at most 1,000 (default 100) */
    readonly limit?: number | undefined;
  };
  readonly 'notes.witness': {
    /** The transaction that made the note */
    readonly txid: string;
    /** Shielded pool */
    readonly pool: 'sapling' | 'orchard' | 'ironwood';
    /** As `notes` tells it */
    readonly output_index: number;
    /** A scanned block: among the chain's last 1,100 or the 8 newest that were scanned, or a multiple of 1,000; default: the highest scanned block less 2 */
    readonly anchor_height?: number | undefined;
    /** Where blocks come from (default: node) */
    readonly source?: 'node' | 'compact' | undefined;
  };
  readonly 'labels.list': {
    /** ZIP 32 account index; left out: all accounts */
    readonly account?: number | undefined;
  };
  readonly 'labels.set': {
    /** ZIP 32 account index (default 0) */
    readonly account?: number | undefined;
    /** Diversifier index, decimal (up to 88 bits) */
    readonly diversifier_index: string;
    /** What you call the address, 1 to 256 characters */
    readonly label: string;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'labels.remove': {
    /** ZIP 32 account index (default 0) */
    readonly account?: number | undefined;
    /** Diversifier index, decimal (up to 88 bits) */
    readonly diversifier_index: string;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'transactions.export': {
    /** csv for spreadsheets (default), json for programs */
    readonly format?: 'csv' | 'json' | undefined;
    /** ZIP 32 account index; left out: all accounts */
    readonly account?: number | undefined;
    /** Transactions per page, at most 1,000 (default 200) */
    readonly limit?: number | undefined;
    /** `next_cursor` of the page before */
    readonly cursor?: string | undefined;
  };
  readonly 'balance.at': {
    /** Give this or `date` */
    readonly height?: number | undefined;
    /** A day, as of its end (UTC), or an RFC 3339 time */
    readonly date?: string | undefined;
    /** ZIP 32 account index; left out: all accounts */
    readonly account?: number | undefined;
  };
  readonly 'payment_uri.create': {
    /** ZIP 32 account index (default 0) */
    readonly account?: number | undefined;
    /** Diversifier index, decimal (up to 88 bits) */
    readonly diversifier_index?: string | undefined;
    /** Another address of this network; default: the one of `account` at `diversifier_index` */
    readonly address?: string | undefined;
    /** In ZEC, as text; left out, the payer chooses */
    readonly amount?: string | undefined;
    /** The amount in zatoshi, in the place of `amount` */
    readonly zatoshi?: number | undefined;
    /** Comes with the payment; not for transparent addresses */
    readonly memo?: string | undefined;
    /** Who is paid, for the payer's screen */
    readonly label?: string | undefined;
    /** What for, for the payer's screen */
    readonly message?: string | undefined;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'payment_uri.qr': {
    /** ZIP 32 account index (default 0) */
    readonly account?: number | undefined;
    /** Diversifier index, decimal (up to 88 bits) */
    readonly diversifier_index?: string | undefined;
    /** Another address of this network; default: the one of `account` at `diversifier_index` */
    readonly address?: string | undefined;
    /** In ZEC, as text; left out, the payer chooses */
    readonly amount?: string | undefined;
    /** The amount in zatoshi, in the place of `amount` */
    readonly zatoshi?: number | undefined;
    /** Comes with the payment; not for transparent addresses */
    readonly memo?: string | undefined;
    /** Who is paid, for the payer's screen */
    readonly label?: string | undefined;
    /** What for, for the payer's screen */
    readonly message?: string | undefined;
    /** text for a terminal (default), svg and png for the rest */
    readonly format?: 'text' | 'svg' | 'png' | undefined;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'payment_uri.parse': {
    /** zcash:... */
    readonly uri: string;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'pczt.inspect': {
    /** A PCZT (ZIP 374, encoding 1 or 2) in base64 */
    readonly pczt: string;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'payments.prepare': {
    /** A payment request (ZIP 321), instead of recipients */
    readonly uri?: string | undefined;
    /** Whom to pay */
    readonly recipients?: readonly {
      /** Unified, Sapling or transparent address */
      readonly address: string;
      /** In ZEC, as text */
      readonly amount?: string | undefined;
      /** The amount in zatoshi, in the place of `amount` */
      readonly zatoshi?: number | undefined;
      /** Not for transparent addresses */
      readonly memo?: string | undefined;
    }[] | undefined;
    /** One recipient, in the place of recipients */
    readonly address?: string | undefined;
    /** In ZEC, as text */
    readonly amount?: string | undefined;
    /** The amount in zatoshi, in the place of `amount` */
    readonly zatoshi?: number | undefined;
    /** Not for transparent addresses */
    readonly memo?: string | undefined;
    /** Send all that one transaction can (max_actions) to the one recipient, whose amount is left out */
    readonly everything?: boolean | undefined;
    /** ZIP 32 account index (default 0) */
    readonly account?: number | undefined;
    /** That notes need (default: 10, and 3 for own change) */
    readonly confirmations?: number | undefined;
    /** That own change needs (default: 3, or `confirmations` where that is lower) */
    readonly change_confirmations?: number | undefined;
    /** The last block that may have it (default: 50 minutes ahead; an upgrade may end it before) */
    readonly expiry_height?: number | undefined;
    /** What may become public, by name (default: nothing) */
    readonly privacy?: readonly ('crossing_pools' | 'transparent_recipients' | 'unusual_fee')[] | undefined;
    /** kept: in the pool it comes from (default); moved: to the newest pool */
    readonly change?: 'kept' | 'moved' | undefined;
    /** Spend notes of these alone */
    readonly pools?: readonly ('sapling' | 'orchard' | 'ironwood')[] | undefined;
    /** Of a pool, as the signer has room for (default 32; the network takes 330 of all pools) */
    readonly max_actions?: number | undefined;
    /** ZIP 32; of the seed that signs, for wallets made from a viewing key: some signers want it */
    readonly seed_fingerprint?: string | undefined;
    /** Where blocks come from (default: node) */
    readonly source?: 'node' | 'compact' | undefined;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'payments.list': {
    /** ZIP 32 account index; left out: all accounts */
    readonly account?: number | undefined;
    /** true: those alone that may still be mined */
    readonly open?: boolean | undefined;
    /** Entries per page, at most 1,000 (default 100) */
    readonly limit?: number | undefined;
    /** `next_cursor` of the page before */
    readonly cursor?: string | undefined;
  };
  readonly 'payments.get': {
    /** As `payments.prepare` gave it */
    readonly payment_id: string;
  };
  readonly 'payments.pczt': {
    /** As `payments.prepare` gave it */
    readonly payment_id: string;
    /** Default: signer */
    readonly reader?: 'signer' | 'compact_signer' | 'prover' | 'anyone' | undefined;
  };
  readonly 'payments.combine': {
    /** As `payments.prepare` gave it */
    readonly payment_id: string;
    /** A PCZT (ZIP 374, encoding 1 or 2) in base64 */
    readonly pczt: string;
    /** Take its proofs in the place of those that are there */
    readonly replace_proofs?: boolean | undefined;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'payments.prove': {
    /** As `payments.prepare` gave it */
    readonly payment_id: string;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'payments.broadcast': {
    /** As `payments.prepare` gave it */
    readonly payment_id: string;
    /** Needed where broadcast_needs_password is set */
    readonly password?: string | undefined;
    /** Who passes it on (default: node) */
    readonly source?: 'node' | 'compact' | undefined;
  };
  readonly 'payments.discard': {
    /** As `payments.prepare` gave it */
    readonly payment_id: string;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'sync.run': {
    /** Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC) */
    readonly password?: string | undefined;
    /** Default: last_scan_height + 1 */
    readonly start_height?: number | undefined;
    /** Default: the chain tip. Alone: what is not scanned yet up to there, lowest first */
    readonly end_height?: number | undefined;
    /** JSON-RPC endpoint of the chain node (http or https, no credentials) */
    readonly node_url?: string | undefined;
    /** Where blocks come from (default: node) */
    readonly source?: 'node' | 'compact' | undefined;
    /** With the source compact alone: block hashes and note commitment tree sizes are compared with the chain node before blocks count */
    readonly verify_with?: 'node' | undefined;
    /** true: the newest blocks not scanned yet, and when there are none above, what is missing from its top down; not with start_height or end_height */
    readonly newest_first?: boolean | undefined;
  };
  readonly 'sync.status': Readonly<Record<string, never>>;
  readonly 'sync.cancel': {
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'coverage.get': {
    /** ZIP 32 account index; left out: all accounts */
    readonly account?: number | undefined;
  };
  readonly 'mempool.list': {
    /** ZIP 32 account index; left out: all accounts */
    readonly account?: number | undefined;
  };
  readonly 'mempool.look': {
    /** ZIP 32 account index; left out: all accounts */
    readonly account?: number | undefined;
    /** Where blocks come from (default: node) */
    readonly source?: 'node' | 'compact' | undefined;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'follow.get': Readonly<Record<string, never>>;
  readonly 'follow.set': {
    /** Whether new blocks are scanned as they come, and gaps closed */
    readonly enabled: boolean;
    /** Default: the one that was followed last */
    readonly source?: 'node' | 'compact' | undefined;
    /** Keep the wallet unlocked meanwhile. To turn that on takes the password. Left out: as it is; off once nothing is followed */
    readonly keep_open?: boolean | undefined;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'lwd.info': {
    /** Compact-block server: https://, http://, or host:port on loopback */
    readonly compact_server_url?: string | undefined;
    /** Compact store: a .db, .sqlite or .sqlite3 file; relative means inside the data directory */
    readonly db_path?: string | undefined;
  };
  readonly 'lwd.chain_tip': {
    /** Compact-block server: https://, http://, or host:port on loopback */
    readonly compact_server_url?: string | undefined;
    /** Compact store: a .db, .sqlite or .sqlite3 file; relative means inside the data directory */
    readonly db_path?: string | undefined;
  };
  readonly 'lwd.sync_compact': {
    /** Compact-block server: https://, http://, or host:port on loopback */
    readonly compact_server_url?: string | undefined;
    /** Compact store: a .db, .sqlite or .sqlite3 file; relative means inside the data directory */
    readonly db_path?: string | undefined;
    /** Default: above the store's top */
    readonly start_height?: number | undefined;
    /** Default: the chain tip */
    readonly end_height?: number | undefined;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'lwd.prune': {
    /** Compact-block server: https://, http://, or host:port on loopback */
    readonly compact_server_url?: string | undefined;
    /** Compact store: a .db, .sqlite or .sqlite3 file; relative means inside the data directory */
    readonly db_path?: string | undefined;
    /** Blocks below it go; with keep: those that both name */
    readonly below_height?: number | undefined;
    /** So many heights up to the store's top stay; 0: all blocks go */
    readonly keep?: number | undefined;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'pairing.request': {
    /** Its own, as the browser sends it in the header Origin */
    readonly origin: string;
    /** Shown to the person who decides */
    readonly name?: string | undefined;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'pairing.list': Readonly<Record<string, never>>;
  readonly 'pairing.allow': {
    /** What the extension shows, such as `K7F-2QX` */
    readonly code: string;
    /** Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC) */
    readonly password: string;
  };
  readonly 'pairing.refuse': {
    /** What the extension shows, such as `K7F-2QX` */
    readonly code: string;
    /** Not needed; when given it is checked first, and opens the session */
    readonly password?: string | undefined;
  };
  readonly 'pairing.revoke': {
    readonly origin: string;
    /** Wallet password, 1 to 1,024 bytes of UTF-8 (NFKC) */
    readonly password: string;
  };
  readonly 'hooks.list': Readonly<Record<string, never>>;
  readonly 'system.version': Readonly<Record<string, never>>;
  readonly 'system.status': {
    /** Tell what is known and ask nobody. Default: servers not asked for 30 seconds are asked */
    readonly known?: boolean | undefined;
  };
}

export interface Outputs {
  readonly 'wallet.exists': {
    readonly exists: boolean;
  };
  readonly 'wallet.status': {
    readonly exists: boolean;
    readonly unlocked: boolean;
    /** End of the session; null when locked or without auto-lock */
    readonly expires_at: string | null;
    readonly syncing: boolean;
    readonly network: 'main' | 'test' | 'regtest';
  };
  readonly 'wallet.create': {
    readonly mnemonic: string;
    readonly unified_address: string;
    readonly birthday_height: number;
    readonly network: 'main' | 'test' | 'regtest';
    /** What the caller should know about the answer */
    readonly warning?: string | undefined;
  };
  readonly 'wallet.restore': {
    readonly unified_address: string;
    readonly birthday_height: number;
    readonly network: 'main' | 'test' | 'regtest';
    readonly unlocked: true;
    /** What the caller should know about the answer */
    readonly warning?: string | undefined;
  };
  readonly 'wallet.import_viewing_key': {
    readonly unified_address: string;
    readonly birthday_height: number;
    readonly network: 'main' | 'test' | 'regtest';
    readonly unlocked: true;
    /** incoming: neither spends nor change can be seen */
    readonly kind: 'full' | 'incoming';
    /** What the caller should know about the answer */
    readonly warning?: string | undefined;
  };
  readonly 'wallet.unlock': {
    readonly unlocked: true;
    /** Null when auto-lock is off */
    readonly expires_at: string | null;
    readonly unified_address: string;
  };
  readonly 'wallet.lock': {
    readonly unlocked: false;
  };
  readonly 'wallet.change_password': {
    readonly changed: true;
  };
  readonly 'wallet.backup': {
    readonly mnemonic: string;
    /** Null when none was used */
    readonly bip39_passphrase: string | null;
    readonly birthday_height: number;
    readonly network: 'main' | 'test' | 'regtest';
  };
  readonly 'wallet.rescan': {
    readonly last_scan_height: number;
    readonly next_start_height: number;
  };
  readonly 'wallet.viewing_key': {
    /** ZIP 32 account index */
    readonly account: number;
    readonly viewing_key: string;
    readonly kind: 'full' | 'incoming';
    readonly birthday_height: number;
    readonly network: 'main' | 'test' | 'regtest';
  };
  readonly 'wallets.list': {
    readonly wallets: readonly {
      /** "default", or what stands in /api/wallets/{wallet}/ */
      readonly name: string;
      /** Of the default wallet alone it may be false */
      readonly exists: boolean;
      readonly unlocked: boolean;
      /** Null where there is no wallet, or its file cannot be read */
      readonly watch_only: boolean | null;
      readonly syncing: boolean;
    }[];
    /** So many besides the default one can be in use at a time */
    readonly most_open: number;
  };
  readonly 'config.get': {
    readonly node_url: string;
    readonly compact_server_url: string;
    /** Highest block scanned; 0 without a wallet */
    readonly last_scan_height: number;
    /** UI theme of companion frontends */
    readonly theme: 'system' | 'light' | 'dark';
    readonly network: 'main' | 'test' | 'regtest';
    /** Null without a wallet */
    readonly birthday_height: number | null;
    readonly min_confirmations: number;
    /** 0: never */
    readonly auto_lock_seconds: number;
    readonly allowed_origins: readonly string[];
  };
  readonly 'config.node_url': {
    readonly node_url: string;
    readonly compact_server_url: string;
    /** Highest block scanned; 0 without a wallet */
    readonly last_scan_height: number;
    /** UI theme of companion frontends */
    readonly theme: 'system' | 'light' | 'dark';
    readonly network: 'main' | 'test' | 'regtest';
    /** Null without a wallet */
    readonly birthday_height: number | null;
    readonly min_confirmations: number;
    /** 0: never */
    readonly auto_lock_seconds: number;
    readonly allowed_origins: readonly string[];
  };
  readonly 'config.compact_server_url': {
    readonly node_url: string;
    readonly compact_server_url: string;
    /** Highest block scanned; 0 without a wallet */
    readonly last_scan_height: number;
    /** UI theme of companion frontends */
    readonly theme: 'system' | 'light' | 'dark';
    readonly network: 'main' | 'test' | 'regtest';
    /** Null without a wallet */
    readonly birthday_height: number | null;
    readonly min_confirmations: number;
    /** 0: never */
    readonly auto_lock_seconds: number;
    readonly allowed_origins: readonly string[];
  };
  readonly 'config.theme': {
    readonly node_url: string;
    readonly compact_server_url: string;
    /** Highest block scanned; 0 without a wallet */
    readonly last_scan_height: number;
    /** UI theme of companion frontends */
    readonly theme: 'system' | 'light' | 'dark';
    readonly network: 'main' | 'test' | 'regtest';
    /** Null without a wallet */
    readonly birthday_height: number | null;
    readonly min_confirmations: number;
    /** 0: never */
    readonly auto_lock_seconds: number;
    readonly allowed_origins: readonly string[];
  };
  readonly 'balance.get': {
    /** Unspent mined notes */
    readonly total_zatoshi: number;
    /** Amount in zatoshi (10^-8 ZEC) */
    readonly confirmed_zatoshi: number;
    /** Notes below `min_confirmations` */
    readonly pending_zatoshi: number;
    /** Part of the total: notes of prepared payments that may still be mined */
    readonly reserved_zatoshi: number;
    /** Notes of ours in unmined transactions, change included; in no other amount. Null where the mempool was not looked at in this session: unknown, not zero */
    readonly unconfirmed_zatoshi: number | null;
    /** Unspent mined notes that an unmined transaction spends; total_zatoshi still has them */
    readonly spent_unconfirmed_zatoshi: number | null;
    /** When the mempool was last looked at */
    readonly unconfirmed_as_of: string | null;
    readonly note_count: number;
    readonly pools: {
      readonly sapling: {
        /** Amount in zatoshi (10^-8 ZEC) */
        readonly total_zatoshi: number;
        /** Amount in zatoshi (10^-8 ZEC) */
        readonly confirmed_zatoshi: number;
        readonly note_count: number;
      };
      readonly orchard: {
        /** Amount in zatoshi (10^-8 ZEC) */
        readonly total_zatoshi: number;
        /** Amount in zatoshi (10^-8 ZEC) */
        readonly confirmed_zatoshi: number;
        readonly note_count: number;
      };
      readonly ironwood: {
        /** Amount in zatoshi (10^-8 ZEC) */
        readonly total_zatoshi: number;
        /** Amount in zatoshi (10^-8 ZEC) */
        readonly confirmed_zatoshi: number;
        readonly note_count: number;
      };
    };
    /** Highest block scanned; null before anything was scanned: the balance is then unknown, not zero */
    readonly as_of_height: number | null;
    /** Its hash; null where it is not kept */
    readonly as_of_hash: string | null;
    /** Whether something was scanned, and nothing from the birthday to `last_scan_height` is missing */
    readonly complete: boolean;
    /** Blocks up to `last_scan_height` not scanned yet */
    readonly missing_ranges: readonly {
      readonly start_height: number;
      readonly end_height: number;
    }[];
    /** Why the balance is not what can be spent */
    readonly warning?: string | undefined;
  };
  readonly 'address.get': {
    readonly unified_address: string;
    /** Null in a wallet without Sapling keys */
    readonly sapling_address: string | null;
    /** Diversifier index, decimal (up to 88 bits) */
    readonly diversifier_index: string;
  };
  readonly 'address.next': {
    readonly unified_address: string;
    /** Null in a wallet without Sapling keys */
    readonly sapling_address: string | null;
    /** Diversifier index, decimal (up to 88 bits) */
    readonly diversifier_index: string;
  };
  readonly 'notes.list': {
    readonly notes: readonly {
      /** ZIP 32 account index */
      readonly account: number;
      /** Shielded pool */
      readonly pool: 'sapling' | 'orchard' | 'ironwood';
      /** ZIP 32 key scope; internal is change */
      readonly scope: 'external' | 'internal';
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly value_zatoshi: number;
      readonly height: number;
      /** Lower-case hex, display (reversed) byte order */
      readonly txid: string;
      readonly output_index: number;
      /** Position in the pool's note commitment tree */
      readonly position: number;
      /** Null in a wallet that only sees what comes in */
      readonly nullifier: string | null;
      /** Diversifier index, decimal (up to 88 bits) */
      readonly diversifier_index: string;
      /** What you call that address */
      readonly label: string | null;
      /** Null where there is none, and where the transaction was not read in full yet */
      readonly memo: {
        /** The memo, when it is text */
        readonly text?: string | undefined;
        /** The 512 bytes of a memo that is not text */
        readonly hex?: string | undefined;
      } | null;
      readonly confirmations: number;
      readonly spent: {
        /** Lower-case hex, display (reversed) byte order */
        readonly txid: string;
        readonly height: number;
      } | null;
      /** The unmined transaction that spends it, as of the last look at the mempool */
      readonly spent_unconfirmed: {
        /** Lower-case hex, display (reversed) byte order */
        readonly txid: string;
      } | null;
      /** The payment_id of a prepared payment that may still be mined, and spends it */
      readonly reserved_by: string | null;
    }[];
    /** Give it as `cursor` for the next page; null on the last */
    readonly next_cursor: string | null;
  };
  readonly 'transactions.list': {
    readonly transactions: readonly {
      /** Lower-case hex, display (reversed) byte order */
      readonly txid: string;
      readonly height: number;
      /** Of the block; null where an earlier version scanned it and kept none */
      readonly time: string | null;
      /** Null where an earlier version scanned it, or its spend was seen above a gap */
      readonly block_hash: string | null;
      readonly confirmations: number;
      /** Sum of our notes made here, change included */
      readonly received_zatoshi: number;
      /** Sum of our notes spent here */
      readonly spent_zatoshi: number;
      /** What we paid; null where it cannot be known: not read in full, transparent or foreign inputs, outputs we cannot see */
      readonly fee_zatoshi: number | null;
      /** Our notes made here, change included */
      readonly received_outputs: readonly {
        /** ZIP 32 account index */
        readonly account: number;
        /** Shielded pool */
        readonly pool: 'sapling' | 'orchard' | 'ironwood';
        /** ZIP 32 key scope; internal is change */
        readonly scope: 'external' | 'internal';
        readonly output_index: number;
        /** Amount in zatoshi (10^-8 ZEC) */
        readonly value_zatoshi: number;
        /** Diversifier index, decimal (up to 88 bits) */
        readonly diversifier_index: string;
        /** What you call that address */
        readonly label: string | null;
        /** Null where there is none, and where the transaction was not read in full yet */
        readonly memo: {
          /** The memo, when it is text */
          readonly text?: string | undefined;
          /** The 512 bytes of a memo that is not text */
          readonly hex?: string | undefined;
        } | null;
      }[];
      /** Outputs recovered with our outgoing viewing keys */
      readonly sent_outputs: readonly {
        /** ZIP 32 account index */
        readonly account: number;
        /** Shielded pool */
        readonly pool: 'sapling' | 'orchard' | 'ironwood';
        /** The outgoing key that recovered it; internal is change or a shielding transfer */
        readonly scope: 'external' | 'internal';
        readonly output_index: number;
        /** Amount in zatoshi (10^-8 ZEC) */
        readonly value_zatoshi: number;
        /** The recipient's address, one receiver */
        readonly recipient: string;
        /** Null where there is none, and where the transaction was not read in full yet */
        readonly memo: {
          /** The memo, when it is text */
          readonly text?: string | undefined;
          /** The 512 bytes of a memo that is not text */
          readonly hex?: string | undefined;
        } | null;
      }[];
      /** Whether the full transaction was read (memos, sent outputs) */
      readonly complete: boolean;
    }[];
    /** Give it as `cursor` for the next page; null on the last */
    readonly next_cursor: string | null;
  };
  readonly 'accounts.list': {
    readonly accounts: readonly {
      /** ZIP 32 account index */
      readonly account: number;
      readonly birthday_height: number;
      readonly unified_address: string;
      /** As of the balance: false before anything was scanned */
      readonly complete: boolean;
      readonly missing_ranges: readonly {
        readonly start_height: number;
        readonly end_height: number;
      }[];
    }[];
  };
  readonly 'accounts.create': {
    /** ZIP 32 account index */
    readonly account: number;
    readonly birthday_height: number;
    readonly unified_address: string;
    /** As of the balance: false before anything was scanned */
    readonly complete: boolean;
    readonly missing_ranges: readonly {
      readonly start_height: number;
      readonly end_height: number;
    }[];
  };
  readonly 'changes.list': {
    readonly changes: readonly {
      /** Number of the change; none is missing between two */
      readonly sequence: number;
      /** `memo`: it became known later (compact scan). `confirmed`: `min_confirmations` deep, once for each `received`. `unspent` and `unreceived` take back a `spent` and a `received` (with its `confirmed`): the chain changed */
      readonly kind: 'received' | 'memo' | 'confirmed' | 'spent' | 'unspent' | 'unreceived';
      /** `sequence` of what is taken back; null where nothing is, or it is not kept any more */
      readonly reverses: number | null;
      /** ZIP 32 account index */
      readonly account: number;
      /** Shielded pool */
      readonly pool: 'sapling' | 'orchard' | 'ironwood';
      /** ZIP 32 key scope; internal is change */
      readonly scope: 'external' | 'internal';
      /** The transaction that made the note */
      readonly txid: string;
      readonly output_index: number;
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly value_zatoshi: number;
      /** Of the note's block; of the spender's for `spent` and `unspent` */
      readonly height: number;
      /** Of that block; null where it is not kept */
      readonly block_hash: string | null;
      /** The spending transaction of `spent` and `unspent` */
      readonly spent_by: string | null;
      /** Diversifier index, decimal (up to 88 bits) */
      readonly diversifier_index: string;
      /** The unified address it was paid to; null for change, and where no unified address has the index */
      readonly address: string | null;
      /** What you call that address */
      readonly label: string | null;
      /** As it is known now; null for what was taken back since */
      readonly memo: {
        /** The memo, when it is text */
        readonly text?: string | undefined;
        /** The 512 bytes of a memo that is not text */
        readonly hex?: string | undefined;
      } | null;
    }[];
    /** Save it together with what was booked, and give it as `since`; also when there is nothing new */
    readonly next_cursor: string;
    readonly has_more: boolean;
    /** Asked from the beginning, and the oldest changes are not kept any more */
    readonly earlier_dropped: boolean;
  };
  readonly 'notes.witness': {
    /** ZIP 32 account index */
    readonly account: number;
    /** Shielded pool */
    readonly pool: 'sapling' | 'orchard' | 'ironwood';
    /** Lower-case hex, display (reversed) byte order */
    readonly txid: string;
    readonly output_index: number;
    /** Of the block with the note */
    readonly height: number;
    /** cmu or cmx as it lies at the position; compare it with that of the note */
    readonly commitment: string;
    /** Position in the pool's note commitment tree */
    readonly position: number;
    /** The 32 siblings, from the leaf upwards */
    readonly path: readonly string[];
    /** The anchor: what commitment, position and path lead to */
    readonly root: string;
    readonly anchor_height: number;
    /** Of the block whose final root it is */
    readonly anchor_hash: string;
  };
  readonly 'labels.list': {
    readonly labels: readonly {
      /** ZIP 32 account index */
      readonly account: number;
      /** Diversifier index, decimal (up to 88 bits) */
      readonly diversifier_index: string;
      /** The unified address */
      readonly address: string;
      readonly label: string;
    }[];
  };
  readonly 'labels.set': {
    /** ZIP 32 account index */
    readonly account: number;
    /** Diversifier index, decimal (up to 88 bits) */
    readonly diversifier_index: string;
    /** The unified address */
    readonly address: string;
    readonly label: string;
  };
  readonly 'labels.remove': {
    /** False where there was none */
    readonly removed: boolean;
  };
  readonly 'transactions.export': {
    readonly format: 'csv' | 'json';
    /** After the last row */
    readonly balance_zatoshi: number;
    /** Highest block scanned; null before anything was scanned: the amounts are then unknown, not zero */
    readonly as_of_height: number | null;
    /** Whether nothing from the birthday up to there is missing */
    readonly complete: boolean;
    readonly missing_ranges: readonly {
      readonly start_height: number;
      readonly end_height: number;
    }[];
    /** Why the amounts are not what they seem */
    readonly warning?: string | undefined;
    /** Give it as `cursor` for the next page; null on the last */
    readonly next_cursor: string | null;
    /** With json */
    readonly rows?: readonly {
      /** Time of the transaction's block; null where an earlier version scanned it and kept none */
      readonly time: string | null;
      readonly height: number;
      /** Lower-case hex, display (reversed) byte order */
      readonly txid: string;
      /** ZIP 32 account index */
      readonly account: number;
      /** Shielded pool */
      readonly pool: 'sapling' | 'orchard' | 'ironwood';
      /** What the account has more of in this pool; change is netted out */
      readonly received_zatoshi: number;
      /** What it has less of, the fee included */
      readonly sent_zatoshi: number;
      /** Of the whole transaction, on the first row that paid; null elsewhere, and where it is not known */
      readonly fee_zatoshi: number | null;
      /** Of what was received, and of what was sent */
      readonly memos: readonly {
        /** The memo, when it is text */
        readonly text?: string | undefined;
        /** The 512 bytes of a memo that is not text */
        readonly hex?: string | undefined;
      }[];
      /** Of all that is exported, after this row */
      readonly balance_zatoshi: number;
    }[] | undefined;
    /** With csv; the header is on the first page */
    readonly text?: string | undefined;
  };
  readonly 'balance.at': {
    readonly height: number;
    /** Of that block; null where neither the wallet nor the node tells */
    readonly hash: string | null;
    /** Of that block: the last one not after the date */
    readonly time: string | null;
    /** Amount in zatoshi (10^-8 ZEC) */
    readonly total_zatoshi: number;
    readonly note_count: number;
    readonly pools: {
      readonly sapling: {
        /** Amount in zatoshi (10^-8 ZEC) */
        readonly total_zatoshi: number;
        readonly note_count: number;
      };
      readonly orchard: {
        /** Amount in zatoshi (10^-8 ZEC) */
        readonly total_zatoshi: number;
        readonly note_count: number;
      };
      readonly ironwood: {
        /** Amount in zatoshi (10^-8 ZEC) */
        readonly total_zatoshi: number;
        readonly note_count: number;
      };
    };
    /** Highest block scanned; null before anything was scanned: the amounts are then unknown, not zero */
    readonly as_of_height: number | null;
    /** Whether nothing from the birthday up to there is missing */
    readonly complete: boolean;
    readonly missing_ranges: readonly {
      readonly start_height: number;
      readonly end_height: number;
    }[];
    /** Why the amounts are not what they seem */
    readonly warning?: string | undefined;
  };
  readonly 'payment_uri.create': {
    readonly uri: string;
    readonly address: string;
  };
  readonly 'payment_uri.qr': {
    readonly uri: string;
    readonly format: 'text' | 'svg' | 'png';
    /** In modules, with the quiet zone */
    readonly width: number;
    /** Characters for dark modules, SVG, or PNG in base64 */
    readonly image: string;
  };
  readonly 'payment_uri.parse': {
    readonly payments: readonly {
      readonly address: string;
      readonly zatoshi: number | null;
      /** Null where there is none, and where the transaction was not read in full yet */
      readonly memo: {
        /** The memo, when it is text */
        readonly text?: string | undefined;
        /** The 512 bytes of a memo that is not text */
        readonly hex?: string | undefined;
      } | null;
      readonly label: string | null;
      readonly message: string | null;
    }[];
  };
  readonly 'pczt.inspect': {
    readonly encoding: number;
    /** Known before it is signed; null while a field that it follows from is missing */
    readonly txid: string | null;
    readonly transaction_version: number;
    readonly network_upgrade: string;
    /** 0: never */
    readonly expiry_height: number;
    /** Null where its inputs ask for what cannot be */
    readonly lock_time: number | null;
    /** False while no wallet is open: then nobody knows what is ours, and change is guessed */
    readonly compared_with_wallet: boolean;
    /** The height that expiry was held against; null: nothing was */
    readonly as_of_height: number | null;
    /** In zatoshi; negative the other way round */
    readonly fee_zatoshi: number;
    /** ZIP 317 */
    readonly conventional_fee_zatoshi: number;
    readonly spends: readonly {
      readonly pool: 'transparent' | 'sapling' | 'orchard' | 'ironwood';
      /** Among the actions, Sapling spends or transparent inputs */
      readonly index: number;
      readonly role: 'spend' | 'padding';
      /** Null where it was left out */
      readonly amount_zatoshi: number | null;
      /** Of the note that is spent; null where it was left out */
      readonly address: string | null;
      /** Whether a key of the open wallet made the address; null where nobody can tell */
      readonly ours: boolean | null;
      readonly account: number | null;
      readonly scope: 'external' | 'internal' | null;
      /** What the open wallet knows of the note; null where no wallet is open */
      readonly note: 'unspent' | 'spent' | 'unknown' | null;
      /** By its key; of transparent inputs only that there is a signature */
      readonly signed: boolean;
      /** Address and amount were made again from what is signed */
      readonly verified: boolean;
    }[];
    readonly outputs: readonly {
      readonly pool: 'transparent' | 'sapling' | 'orchard' | 'ironwood';
      /** Among the actions, Sapling outputs or transparent outputs */
      readonly index: number;
      readonly role: 'payment' | 'change' | 'padding';
      /** Null where it was left out */
      readonly amount_zatoshi: number | null;
      /** The receiver that is paid */
      readonly address: string | null;
      /** What a person typed for it, where that holds the receiver */
      readonly typed_address: string | null;
      /** Null where there is none, and where it cannot be read */
      readonly memo: {
        /** The memo, when it is text */
        readonly text?: string | undefined;
        /** The 512 bytes of a memo that is not text */
        readonly hex?: string | undefined;
      } | null;
      /** Whether a key of the open wallet made the address; null where nobody can tell */
      readonly ours: boolean | null;
      readonly account: number | null;
      readonly scope: 'external' | 'internal' | null;
      /** Address, amount and memo were made again from what is signed */
      readonly verified: boolean;
    }[];
    readonly becomes_public: {
      /** In words */
      readonly statements: readonly string[];
      readonly leaves_pools: readonly {
        /** Shielded pool */
        readonly pool: 'sapling' | 'orchard' | 'ironwood';
        /** In zatoshi; negative the other way round */
        readonly amount_zatoshi: number;
      }[];
      readonly transparent_inputs: number;
      readonly transparent_outputs: number;
    };
    /** Empty when nothing is: then it can be sent */
    readonly missing: readonly {
      readonly pool: 'transparent' | 'sapling' | 'orchard' | 'ironwood';
      readonly signatures: number;
      readonly proofs: boolean;
      readonly binding_key: boolean;
    }[];
    readonly warnings: readonly {
      readonly code: string;
      /** Such as orchard.actions[1].output; empty: the whole */
      readonly field: string;
      readonly text: string;
    }[];
  };
  readonly 'payments.prepare': {
    /** As `payments.prepare` gave it */
    readonly payment_id: string;
    /** ZIP 32 account index */
    readonly account: number;
    /** prepared: signatures or proofs are missing. complete: it can be sent. sent: it was, and nobody has told yet what became of it. mined: with fewer confirmations than its change needs. expired, conflicted and discarded end it */
    readonly status: 'prepared' | 'complete' | 'sent' | 'in_mempool' | 'mined' | 'confirmed' | 'expired' | 'conflicted' | 'discarded';
    /** Fixed before it is signed */
    readonly txid: string;
    /** RFC 3339 time, UTC */
    readonly created_at: string;
    readonly payments: readonly {
      readonly pool: 'transparent' | 'sapling' | 'orchard' | 'ironwood';
      /** As it was typed */
      readonly address: string;
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly amount_zatoshi: number;
      /** Null where there is none, and where the transaction was not read in full yet */
      readonly memo: {
        /** The memo, when it is text */
        readonly text?: string | undefined;
        /** The 512 bytes of a memo that is not text */
        readonly hex?: string | undefined;
      } | null;
    }[];
    readonly change: {
      /** Shielded pool */
      readonly pool: 'sapling' | 'orchard' | 'ironwood';
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly amount_zatoshi: number;
    } | null;
    /** Amount in zatoshi (10^-8 ZEC) */
    readonly fee_zatoshi: number;
    /** What was agreed to; empty: nothing but that there was a transaction */
    readonly becomes_public: readonly {
      readonly consent: 'crossing_pools' | 'transparent_recipients' | 'unusual_fee';
      /** Of crossing_pools: the pool that the amount leaves, or enters */
      readonly pool: 'sapling' | 'orchard' | 'ironwood' | null;
      /** Of transparent_recipients */
      readonly address: string | null;
      /** Negative: enters the pool. Of unusual_fee: above the usual one */
      readonly amount_zatoshi: number;
    }[];
    /** That it spends */
    readonly notes: readonly {
      /** Shielded pool */
      readonly pool: 'sapling' | 'orchard' | 'ironwood';
      /** Lower-case hex, display (reversed) byte order */
      readonly txid: string;
      readonly output_index: number;
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly value_zatoshi: number;
    }[];
    /** In notes that no other payment takes as long as it may be mined */
    readonly reserved_zatoshi: number;
    readonly anchor_height: number;
    /** As it is signed */
    readonly expiry_height: number;
    /** The last block that can have it: that, or the last one before an upgrade that is nearer */
    readonly last_height: number;
    /** About when that is; null once it is over */
    readonly expires_at: string | null;
    /** Empty: it can be sent */
    readonly missing: readonly {
      readonly pool: 'transparent' | 'sapling' | 'orchard' | 'ironwood';
      readonly signatures: number;
      readonly proofs: boolean;
      /** Sapling: the proof needs a key that the signer has; it goes to the signer once more */
      readonly signer_keys: boolean;
    }[];
    readonly mined_height: number | null;
    readonly confirmations: number;
    readonly last_sent: {
      /** RFC 3339 time, UTC */
      readonly at: string;
      /** Where blocks come from (default: node) */
      readonly source: 'node' | 'compact';
      readonly outcome: 'accepted' | 'refused' | 'unanswered';
      /** What the other side said */
      readonly detail: string | null;
    } | null;
    /** In base64 */
    readonly pczt: string;
    readonly encoding: number;
    /** Of `everything`: what did not fit, and how many further payments it takes */
    readonly left: {
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly zatoshi: number;
      readonly payments: number;
    } | null;
  };
  readonly 'payments.list': {
    readonly payments: readonly {
      /** As `payments.prepare` gave it */
      readonly payment_id: string;
      /** ZIP 32 account index */
      readonly account: number;
      /** prepared: signatures or proofs are missing. complete: it can be sent. sent: it was, and nobody has told yet what became of it. mined: with fewer confirmations than its change needs. expired, conflicted and discarded end it */
      readonly status: 'prepared' | 'complete' | 'sent' | 'in_mempool' | 'mined' | 'confirmed' | 'expired' | 'conflicted' | 'discarded';
      /** Fixed before it is signed */
      readonly txid: string;
      /** RFC 3339 time, UTC */
      readonly created_at: string;
      readonly payments: readonly {
        readonly pool: 'transparent' | 'sapling' | 'orchard' | 'ironwood';
        /** As it was typed */
        readonly address: string;
        /** Amount in zatoshi (10^-8 ZEC) */
        readonly amount_zatoshi: number;
        /** Null where there is none, and where the transaction was not read in full yet */
        readonly memo: {
          /** The memo, when it is text */
          readonly text?: string | undefined;
          /** The 512 bytes of a memo that is not text */
          readonly hex?: string | undefined;
        } | null;
      }[];
      readonly change: {
        /** Shielded pool */
        readonly pool: 'sapling' | 'orchard' | 'ironwood';
        /** Amount in zatoshi (10^-8 ZEC) */
        readonly amount_zatoshi: number;
      } | null;
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly fee_zatoshi: number;
      /** What was agreed to; empty: nothing but that there was a transaction */
      readonly becomes_public: readonly {
        readonly consent: 'crossing_pools' | 'transparent_recipients' | 'unusual_fee';
        /** Of crossing_pools: the pool that the amount leaves, or enters */
        readonly pool: 'sapling' | 'orchard' | 'ironwood' | null;
        /** Of transparent_recipients */
        readonly address: string | null;
        /** Negative: enters the pool. Of unusual_fee: above the usual one */
        readonly amount_zatoshi: number;
      }[];
      /** That it spends */
      readonly notes: readonly {
        /** Shielded pool */
        readonly pool: 'sapling' | 'orchard' | 'ironwood';
        /** Lower-case hex, display (reversed) byte order */
        readonly txid: string;
        readonly output_index: number;
        /** Amount in zatoshi (10^-8 ZEC) */
        readonly value_zatoshi: number;
      }[];
      /** In notes that no other payment takes as long as it may be mined */
      readonly reserved_zatoshi: number;
      readonly anchor_height: number;
      /** As it is signed */
      readonly expiry_height: number;
      /** The last block that can have it: that, or the last one before an upgrade that is nearer */
      readonly last_height: number;
      /** About when that is; null once it is over */
      readonly expires_at: string | null;
      /** Empty: it can be sent */
      readonly missing: readonly {
        readonly pool: 'transparent' | 'sapling' | 'orchard' | 'ironwood';
        readonly signatures: number;
        readonly proofs: boolean;
        /** Sapling: the proof needs a key that the signer has; it goes to the signer once more */
        readonly signer_keys: boolean;
      }[];
      readonly mined_height: number | null;
      readonly confirmations: number;
      readonly last_sent: {
        /** RFC 3339 time, UTC */
        readonly at: string;
        /** Where blocks come from (default: node) */
        readonly source: 'node' | 'compact';
        readonly outcome: 'accepted' | 'refused' | 'unanswered';
        /** What the other side said */
        readonly detail: string | null;
      } | null;
    }[];
    readonly next_cursor: string | null;
  };
  readonly 'payments.get': {
    /** As `payments.prepare` gave it */
    readonly payment_id: string;
    /** ZIP 32 account index */
    readonly account: number;
    /** prepared: signatures or proofs are missing. complete: it can be sent. sent: it was, and nobody has told yet what became of it. mined: with fewer confirmations than its change needs. expired, conflicted and discarded end it */
    readonly status: 'prepared' | 'complete' | 'sent' | 'in_mempool' | 'mined' | 'confirmed' | 'expired' | 'conflicted' | 'discarded';
    /** Fixed before it is signed */
    readonly txid: string;
    /** RFC 3339 time, UTC */
    readonly created_at: string;
    readonly payments: readonly {
      readonly pool: 'transparent' | 'sapling' | 'orchard' | 'ironwood';
      /** As it was typed */
      readonly address: string;
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly amount_zatoshi: number;
      /** Null where there is none, and where the transaction was not read in full yet */
      readonly memo: {
        /** The memo, when it is text */
        readonly text?: string | undefined;
        /** The 512 bytes of a memo that is not text */
        readonly hex?: string | undefined;
      } | null;
    }[];
    readonly change: {
      /** Shielded pool */
      readonly pool: 'sapling' | 'orchard' | 'ironwood';
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly amount_zatoshi: number;
    } | null;
    /** Amount in zatoshi (10^-8 ZEC) */
    readonly fee_zatoshi: number;
    /** What was agreed to; empty: nothing but that there was a transaction */
    readonly becomes_public: readonly {
      readonly consent: 'crossing_pools' | 'transparent_recipients' | 'unusual_fee';
      /** Of crossing_pools: the pool that the amount leaves, or enters */
      readonly pool: 'sapling' | 'orchard' | 'ironwood' | null;
      /** Of transparent_recipients */
      readonly address: string | null;
      /** Negative: enters the pool. Of unusual_fee: above the usual one */
      readonly amount_zatoshi: number;
    }[];
    /** That it spends */
    readonly notes: readonly {
      /** Shielded pool */
      readonly pool: 'sapling' | 'orchard' | 'ironwood';
      /** Lower-case hex, display (reversed) byte order */
      readonly txid: string;
      readonly output_index: number;
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly value_zatoshi: number;
    }[];
    /** In notes that no other payment takes as long as it may be mined */
    readonly reserved_zatoshi: number;
    readonly anchor_height: number;
    /** As it is signed */
    readonly expiry_height: number;
    /** The last block that can have it: that, or the last one before an upgrade that is nearer */
    readonly last_height: number;
    /** About when that is; null once it is over */
    readonly expires_at: string | null;
    /** Empty: it can be sent */
    readonly missing: readonly {
      readonly pool: 'transparent' | 'sapling' | 'orchard' | 'ironwood';
      readonly signatures: number;
      readonly proofs: boolean;
      /** Sapling: the proof needs a key that the signer has; it goes to the signer once more */
      readonly signer_keys: boolean;
    }[];
    readonly mined_height: number | null;
    readonly confirmations: number;
    readonly last_sent: {
      /** RFC 3339 time, UTC */
      readonly at: string;
      /** Where blocks come from (default: node) */
      readonly source: 'node' | 'compact';
      readonly outcome: 'accepted' | 'refused' | 'unanswered';
      /** What the other side said */
      readonly detail: string | null;
    } | null;
  };
  readonly 'payments.pczt': {
    /** As `payments.prepare` gave it */
    readonly payment_id: string;
    readonly reader: 'signer' | 'compact_signer' | 'prover' | 'anyone';
    /** In base64 */
    readonly pczt: string;
    readonly encoding: number;
  };
  readonly 'payments.combine': {
    /** As `payments.prepare` gave it */
    readonly payment_id: string;
    /** ZIP 32 account index */
    readonly account: number;
    /** prepared: signatures or proofs are missing. complete: it can be sent. sent: it was, and nobody has told yet what became of it. mined: with fewer confirmations than its change needs. expired, conflicted and discarded end it */
    readonly status: 'prepared' | 'complete' | 'sent' | 'in_mempool' | 'mined' | 'confirmed' | 'expired' | 'conflicted' | 'discarded';
    /** Fixed before it is signed */
    readonly txid: string;
    /** RFC 3339 time, UTC */
    readonly created_at: string;
    readonly payments: readonly {
      readonly pool: 'transparent' | 'sapling' | 'orchard' | 'ironwood';
      /** As it was typed */
      readonly address: string;
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly amount_zatoshi: number;
      /** Null where there is none, and where the transaction was not read in full yet */
      readonly memo: {
        /** The memo, when it is text */
        readonly text?: string | undefined;
        /** The 512 bytes of a memo that is not text */
        readonly hex?: string | undefined;
      } | null;
    }[];
    readonly change: {
      /** Shielded pool */
      readonly pool: 'sapling' | 'orchard' | 'ironwood';
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly amount_zatoshi: number;
    } | null;
    /** Amount in zatoshi (10^-8 ZEC) */
    readonly fee_zatoshi: number;
    /** What was agreed to; empty: nothing but that there was a transaction */
    readonly becomes_public: readonly {
      readonly consent: 'crossing_pools' | 'transparent_recipients' | 'unusual_fee';
      /** Of crossing_pools: the pool that the amount leaves, or enters */
      readonly pool: 'sapling' | 'orchard' | 'ironwood' | null;
      /** Of transparent_recipients */
      readonly address: string | null;
      /** Negative: enters the pool. Of unusual_fee: above the usual one */
      readonly amount_zatoshi: number;
    }[];
    /** That it spends */
    readonly notes: readonly {
      /** Shielded pool */
      readonly pool: 'sapling' | 'orchard' | 'ironwood';
      /** Lower-case hex, display (reversed) byte order */
      readonly txid: string;
      readonly output_index: number;
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly value_zatoshi: number;
    }[];
    /** In notes that no other payment takes as long as it may be mined */
    readonly reserved_zatoshi: number;
    readonly anchor_height: number;
    /** As it is signed */
    readonly expiry_height: number;
    /** The last block that can have it: that, or the last one before an upgrade that is nearer */
    readonly last_height: number;
    /** About when that is; null once it is over */
    readonly expires_at: string | null;
    /** Empty: it can be sent */
    readonly missing: readonly {
      readonly pool: 'transparent' | 'sapling' | 'orchard' | 'ironwood';
      readonly signatures: number;
      readonly proofs: boolean;
      /** Sapling: the proof needs a key that the signer has; it goes to the signer once more */
      readonly signer_keys: boolean;
    }[];
    readonly mined_height: number | null;
    readonly confirmations: number;
    readonly last_sent: {
      /** RFC 3339 time, UTC */
      readonly at: string;
      /** Where blocks come from (default: node) */
      readonly source: 'node' | 'compact';
      readonly outcome: 'accepted' | 'refused' | 'unanswered';
      /** What the other side said */
      readonly detail: string | null;
    } | null;
    readonly signatures_added: number;
    readonly proofs_added: number;
    /** What else it brought that is of no use here */
    readonly left_out: readonly string[];
  };
  readonly 'payments.prove': {
    /** As `payments.prepare` gave it */
    readonly payment_id: string;
    /** ZIP 32 account index */
    readonly account: number;
    /** prepared: signatures or proofs are missing. complete: it can be sent. sent: it was, and nobody has told yet what became of it. mined: with fewer confirmations than its change needs. expired, conflicted and discarded end it */
    readonly status: 'prepared' | 'complete' | 'sent' | 'in_mempool' | 'mined' | 'confirmed' | 'expired' | 'conflicted' | 'discarded';
    /** Fixed before it is signed */
    readonly txid: string;
    /** RFC 3339 time, UTC */
    readonly created_at: string;
    readonly payments: readonly {
      readonly pool: 'transparent' | 'sapling' | 'orchard' | 'ironwood';
      /** As it was typed */
      readonly address: string;
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly amount_zatoshi: number;
      /** Null where there is none, and where the transaction was not read in full yet */
      readonly memo: {
        /** The memo, when it is text */
        readonly text?: string | undefined;
        /** The 512 bytes of a memo that is not text */
        readonly hex?: string | undefined;
      } | null;
    }[];
    readonly change: {
      /** Shielded pool */
      readonly pool: 'sapling' | 'orchard' | 'ironwood';
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly amount_zatoshi: number;
    } | null;
    /** Amount in zatoshi (10^-8 ZEC) */
    readonly fee_zatoshi: number;
    /** What was agreed to; empty: nothing but that there was a transaction */
    readonly becomes_public: readonly {
      readonly consent: 'crossing_pools' | 'transparent_recipients' | 'unusual_fee';
      /** Of crossing_pools: the pool that the amount leaves, or enters */
      readonly pool: 'sapling' | 'orchard' | 'ironwood' | null;
      /** Of transparent_recipients */
      readonly address: string | null;
      /** Negative: enters the pool. Of unusual_fee: above the usual one */
      readonly amount_zatoshi: number;
    }[];
    /** That it spends */
    readonly notes: readonly {
      /** Shielded pool */
      readonly pool: 'sapling' | 'orchard' | 'ironwood';
      /** Lower-case hex, display (reversed) byte order */
      readonly txid: string;
      readonly output_index: number;
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly value_zatoshi: number;
    }[];
    /** In notes that no other payment takes as long as it may be mined */
    readonly reserved_zatoshi: number;
    readonly anchor_height: number;
    /** As it is signed */
    readonly expiry_height: number;
    /** The last block that can have it: that, or the last one before an upgrade that is nearer */
    readonly last_height: number;
    /** About when that is; null once it is over */
    readonly expires_at: string | null;
    /** Empty: it can be sent */
    readonly missing: readonly {
      readonly pool: 'transparent' | 'sapling' | 'orchard' | 'ironwood';
      readonly signatures: number;
      readonly proofs: boolean;
      /** Sapling: the proof needs a key that the signer has; it goes to the signer once more */
      readonly signer_keys: boolean;
    }[];
    readonly mined_height: number | null;
    readonly confirmations: number;
    readonly last_sent: {
      /** RFC 3339 time, UTC */
      readonly at: string;
      /** Where blocks come from (default: node) */
      readonly source: 'node' | 'compact';
      readonly outcome: 'accepted' | 'refused' | 'unanswered';
      /** What the other side said */
      readonly detail: string | null;
    } | null;
    readonly proofs_added: number;
  };
  readonly 'payments.broadcast': {
    /** As `payments.prepare` gave it */
    readonly payment_id: string;
    /** ZIP 32 account index */
    readonly account: number;
    /** prepared: signatures or proofs are missing. complete: it can be sent. sent: it was, and nobody has told yet what became of it. mined: with fewer confirmations than its change needs. expired, conflicted and discarded end it */
    readonly status: 'prepared' | 'complete' | 'sent' | 'in_mempool' | 'mined' | 'confirmed' | 'expired' | 'conflicted' | 'discarded';
    /** Fixed before it is signed */
    readonly txid: string;
    /** RFC 3339 time, UTC */
    readonly created_at: string;
    readonly payments: readonly {
      readonly pool: 'transparent' | 'sapling' | 'orchard' | 'ironwood';
      /** As it was typed */
      readonly address: string;
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly amount_zatoshi: number;
      /** Null where there is none, and where the transaction was not read in full yet */
      readonly memo: {
        /** The memo, when it is text */
        readonly text?: string | undefined;
        /** The 512 bytes of a memo that is not text */
        readonly hex?: string | undefined;
      } | null;
    }[];
    readonly change: {
      /** Shielded pool */
      readonly pool: 'sapling' | 'orchard' | 'ironwood';
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly amount_zatoshi: number;
    } | null;
    /** Amount in zatoshi (10^-8 ZEC) */
    readonly fee_zatoshi: number;
    /** What was agreed to; empty: nothing but that there was a transaction */
    readonly becomes_public: readonly {
      readonly consent: 'crossing_pools' | 'transparent_recipients' | 'unusual_fee';
      /** Of crossing_pools: the pool that the amount leaves, or enters */
      readonly pool: 'sapling' | 'orchard' | 'ironwood' | null;
      /** Of transparent_recipients */
      readonly address: string | null;
      /** Negative: enters the pool. Of unusual_fee: above the usual one */
      readonly amount_zatoshi: number;
    }[];
    /** That it spends */
    readonly notes: readonly {
      /** Shielded pool */
      readonly pool: 'sapling' | 'orchard' | 'ironwood';
      /** Lower-case hex, display (reversed) byte order */
      readonly txid: string;
      readonly output_index: number;
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly value_zatoshi: number;
    }[];
    /** In notes that no other payment takes as long as it may be mined */
    readonly reserved_zatoshi: number;
    readonly anchor_height: number;
    /** As it is signed */
    readonly expiry_height: number;
    /** The last block that can have it: that, or the last one before an upgrade that is nearer */
    readonly last_height: number;
    /** About when that is; null once it is over */
    readonly expires_at: string | null;
    /** Empty: it can be sent */
    readonly missing: readonly {
      readonly pool: 'transparent' | 'sapling' | 'orchard' | 'ironwood';
      readonly signatures: number;
      readonly proofs: boolean;
      /** Sapling: the proof needs a key that the signer has; it goes to the signer once more */
      readonly signer_keys: boolean;
    }[];
    readonly mined_height: number | null;
    readonly confirmations: number;
    readonly last_sent: {
      /** RFC 3339 time, UTC */
      readonly at: string;
      /** Where blocks come from (default: node) */
      readonly source: 'node' | 'compact';
      readonly outcome: 'accepted' | 'refused' | 'unanswered';
      /** What the other side said */
      readonly detail: string | null;
    } | null;
  };
  readonly 'payments.discard': {
    /** As `payments.prepare` gave it */
    readonly payment_id: string;
    /** ZIP 32 account index */
    readonly account: number;
    /** prepared: signatures or proofs are missing. complete: it can be sent. sent: it was, and nobody has told yet what became of it. mined: with fewer confirmations than its change needs. expired, conflicted and discarded end it */
    readonly status: 'prepared' | 'complete' | 'sent' | 'in_mempool' | 'mined' | 'confirmed' | 'expired' | 'conflicted' | 'discarded';
    /** Fixed before it is signed */
    readonly txid: string;
    /** RFC 3339 time, UTC */
    readonly created_at: string;
    readonly payments: readonly {
      readonly pool: 'transparent' | 'sapling' | 'orchard' | 'ironwood';
      /** As it was typed */
      readonly address: string;
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly amount_zatoshi: number;
      /** Null where there is none, and where the transaction was not read in full yet */
      readonly memo: {
        /** The memo, when it is text */
        readonly text?: string | undefined;
        /** The 512 bytes of a memo that is not text */
        readonly hex?: string | undefined;
      } | null;
    }[];
    readonly change: {
      /** Shielded pool */
      readonly pool: 'sapling' | 'orchard' | 'ironwood';
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly amount_zatoshi: number;
    } | null;
    /** Amount in zatoshi (10^-8 ZEC) */
    readonly fee_zatoshi: number;
    /** What was agreed to; empty: nothing but that there was a transaction */
    readonly becomes_public: readonly {
      readonly consent: 'crossing_pools' | 'transparent_recipients' | 'unusual_fee';
      /** Of crossing_pools: the pool that the amount leaves, or enters */
      readonly pool: 'sapling' | 'orchard' | 'ironwood' | null;
      /** Of transparent_recipients */
      readonly address: string | null;
      /** Negative: enters the pool. Of unusual_fee: above the usual one */
      readonly amount_zatoshi: number;
    }[];
    /** That it spends */
    readonly notes: readonly {
      /** Shielded pool */
      readonly pool: 'sapling' | 'orchard' | 'ironwood';
      /** Lower-case hex, display (reversed) byte order */
      readonly txid: string;
      readonly output_index: number;
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly value_zatoshi: number;
    }[];
    /** In notes that no other payment takes as long as it may be mined */
    readonly reserved_zatoshi: number;
    readonly anchor_height: number;
    /** As it is signed */
    readonly expiry_height: number;
    /** The last block that can have it: that, or the last one before an upgrade that is nearer */
    readonly last_height: number;
    /** About when that is; null once it is over */
    readonly expires_at: string | null;
    /** Empty: it can be sent */
    readonly missing: readonly {
      readonly pool: 'transparent' | 'sapling' | 'orchard' | 'ironwood';
      readonly signatures: number;
      readonly proofs: boolean;
      /** Sapling: the proof needs a key that the signer has; it goes to the signer once more */
      readonly signer_keys: boolean;
    }[];
    readonly mined_height: number | null;
    readonly confirmations: number;
    readonly last_sent: {
      /** RFC 3339 time, UTC */
      readonly at: string;
      /** Where blocks come from (default: node) */
      readonly source: 'node' | 'compact';
      readonly outcome: 'accepted' | 'refused' | 'unanswered';
      /** What the other side said */
      readonly detail: string | null;
    } | null;
    /** What giving it up does not prevent */
    readonly warning: string;
  };
  readonly 'sync.run': {
    readonly start_height: number;
    /** Last block of this request; below start_height when there was none */
    readonly end_height: number;
    readonly blocks_scanned: number;
    readonly outputs_scanned: number;
    /** Notes of the wallet in the blocks of this request */
    readonly notes_found: number;
    /** Those that were not known before */
    readonly notes_new: number;
    /** Notes that were not known as spent before */
    readonly notes_spent: number;
    readonly reorg: {
      /** The last common block */
      readonly fork_height: number;
      /** Blocks that were undone */
      readonly depth: number;
    } | null;
    readonly last_scan_height: number;
    /** The top of the local store when the compact server cannot be reached */
    readonly chain_tip: number;
    readonly next_start_height: number;
    /** Whether every block asked for exists and is scanned */
    readonly range_complete: boolean;
    /** Whether last_scan_height is the other side's chain tip: nothing is left to scan above. What was skipped below is in missing_ranges, and end_height alone closes it */
    readonly caught_up: boolean;
    /** Whether everything from the birthday to last_scan_height is scanned */
    readonly complete: boolean;
    readonly missing_ranges: readonly {
      readonly start_height: number;
      readonly end_height: number;
    }[];
    /** What is missing up to last_scan_height, in words and days; left out when nothing is */
    readonly not_looked_at?: string | undefined;
    readonly cancelled: boolean;
    /** Milliseconds */
    readonly elapsed_ms: number;
    /** Where blocks come from (default: node) */
    readonly source: 'node' | 'compact';
    /** That every block of this request was compared with the node before it counted; null without verify_with, and where no block was scanned */
    readonly verified_with: 'node' | null;
  };
  readonly 'sync.status': {
    readonly syncing: boolean;
    /** Null when nothing runs */
    readonly progress: {
      /** Where blocks come from (default: node) */
      readonly source: 'node' | 'compact';
      readonly start_height: number;
      readonly end_height: number;
      /** Highest block committed so far; what is below is kept on cancel */
      readonly committed_height: number;
      readonly blocks_scanned: number;
      readonly blocks_total: number;
      readonly outputs_scanned: number;
      readonly notes_found: number;
      /** Milliseconds */
      readonly elapsed_ms: number;
      readonly blocks_per_second: number;
      readonly outputs_per_second: number;
      /** Null until a rate is known */
      readonly eta_seconds: number | null;
      /** What most of the time went by with: waiting for blocks of the source while the processor had nothing to do, or scanning. Null in the first seconds */
      readonly limited_by: 'blocks' | 'scanning' | null;
      /** What most of the time of this request went by with: waiting for the other side, computing, or waiting for the disk. Null in the first seconds */
      readonly bounded_by: 'network' | 'cpu' | 'disk' | null;
      /** From the other side, for the blocks of this request; stored blocks count nothing */
      readonly received_bytes: number;
      readonly received_bytes_per_second: number;
      /** In outputs and actions, and two more for each block: what scanning costs, where blocks say little. What is scanned, of work_total */
      readonly work_done: number;
      /** From the birthday to the chain tip, whatever this request covers: expected by a table of the main network and by what blocks tell as they come, so it may change */
      readonly work_total: number;
      /** For what is left of work_total, by the pace of the last minutes; null until there is one */
      readonly work_eta_seconds: number | null;
      readonly cancelling: boolean;
    } | null;
    readonly last_scan_height: number;
    /** Whether everything from the birthday to last_scan_height is scanned; null while locked */
    readonly complete: boolean | null;
    /** As last seen; null before the first sync */
    readonly chain_tip: number | null;
    /** In outputs and actions, and two more for each block: what scanning costs, where blocks say little. What is scanned, of work_total; null while locked, and before the chain tip is known */
    readonly work_done: number | null;
    /** From the birthday to the chain tip, as expected */
    readonly work_total: number | null;
    /** What is missing up to last_scan_height, in words and days; left out when nothing is, and while locked */
    readonly not_looked_at?: string | undefined;
    readonly last_finished_at: string | null;
    /** Null when the last sync succeeded */
    readonly last_error: {
      readonly code: string;
      readonly detail: string;
      /** RFC 3339 time, UTC */
      readonly at: string;
    } | null;
  };
  readonly 'sync.cancel': {
    /** False when nothing was running */
    readonly cancelling: boolean;
  };
  readonly 'coverage.get': {
    readonly accounts: readonly {
      /** ZIP 32 account index */
      readonly account: number;
      readonly birthday_height: number;
      /** As of the balance: something was scanned, and nothing up to there is missing */
      readonly complete: boolean;
      /** Every block of a stretch was scanned with the keys of this account, and each names the one below it by its hash */
      readonly scanned: readonly {
        readonly start_height: number;
        /** Null where it is not kept: inside a stretch of another account */
        readonly start_hash: string | null;
        readonly end_height: number;
        /** Null where it is not kept: inside a stretch of another account */
        readonly end_hash: string | null;
      }[];
      /** What is not scanned from the birthday to the highest block that is */
      readonly missing: readonly {
        readonly start_height: number;
        readonly end_height: number;
        /** Day (UTC), from blocks near it; null where none is known */
        readonly start_date: string | null;
        /** Day (UTC), from blocks near it; null where none is known */
        readonly end_date: string | null;
      }[];
      /** The same in words */
      readonly statement: string;
    }[];
    /** End of the last scan, where it left nothing missing; null after a restart */
    readonly finished_at: string | null;
  };
  readonly 'mempool.list': {
    /** Who was asked last; null before the first look of this session */
    readonly source: 'node' | 'compact' | null;
    /** The last look that was answered; null before the first one of this session */
    readonly looked_at: string | null;
    /** Whether everything in that mempool was looked at; false as well before the first look */
    readonly complete: boolean;
    /** Why the last look came to nothing: `NOT_OFFERED`, `TOO_MUCH`, or the code of a failure; null when it did not */
    readonly trouble: {
      readonly code: string;
      readonly detail: string;
    } | null;
    /** Notes of ours in unmined transactions, change included; in no other amount. Null where the mempool was not looked at in this session: unknown, not zero */
    readonly unconfirmed_zatoshi: number | null;
    /** Unspent mined notes that an unmined transaction spends; total_zatoshi still has them */
    readonly spent_unconfirmed_zatoshi: number | null;
    /** When the mempool was last looked at */
    readonly unconfirmed_as_of: string | null;
    /** In the order in which they were seen, 500 at most */
    readonly transactions: readonly {
      /** Lower-case hex, display (reversed) byte order */
      readonly txid: string;
      /** RFC 3339 time, UTC */
      readonly first_seen_at: string;
      /** It cannot be mined above; null: it never expires */
      readonly expiry_height: number | null;
      /** Notes that it makes for us, change included */
      readonly notes: readonly {
        /** ZIP 32 account index */
        readonly account: number;
        /** Shielded pool */
        readonly pool: 'sapling' | 'orchard' | 'ironwood';
        /** ZIP 32 key scope; internal is change */
        readonly scope: 'external' | 'internal';
        readonly output_index: number;
        /** Amount in zatoshi (10^-8 ZEC) */
        readonly value_zatoshi: number;
        /** Diversifier index, decimal (up to 88 bits) */
        readonly diversifier_index: string;
        /** What you call that address */
        readonly label: string | null;
        /** Null where there is none, and where the transaction was not read in full yet */
        readonly memo: {
          /** The memo, when it is text */
          readonly text?: string | undefined;
          /** The 512 bytes of a memo that is not text */
          readonly hex?: string | undefined;
        } | null;
      }[];
      /** Our mined notes that it spends */
      readonly spends: readonly {
        /** ZIP 32 account index */
        readonly account: number;
        /** Shielded pool */
        readonly pool: 'sapling' | 'orchard' | 'ironwood';
        /** The transaction that made the note */
        readonly txid: string;
        readonly output_index: number;
        /** Amount in zatoshi (10^-8 ZEC) */
        readonly value_zatoshi: number;
      }[];
    }[];
    /** Of this session, the latest first, 100 at most */
    readonly vanished: readonly {
      /** Lower-case hex, display (reversed) byte order */
      readonly txid: string;
      /** `expired`: every block up to its expiry height was scanned. `conflicted`: a mined transaction has spent what it spends. `dropped`: the other side has it no more, and it is in no block */
      readonly reason: 'expired' | 'conflicted' | 'dropped';
      /** RFC 3339 time, UTC */
      readonly at: string;
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly received_zatoshi: number;
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly spent_zatoshi: number;
    }[];
  };
  readonly 'mempool.look': {
    /** Who was asked last; null before the first look of this session */
    readonly source: 'node' | 'compact' | null;
    /** The last look that was answered; null before the first one of this session */
    readonly looked_at: string | null;
    /** Whether everything in that mempool was looked at; false as well before the first look */
    readonly complete: boolean;
    /** Why the last look came to nothing: `NOT_OFFERED`, `TOO_MUCH`, or the code of a failure; null when it did not */
    readonly trouble: {
      readonly code: string;
      readonly detail: string;
    } | null;
    /** Notes of ours in unmined transactions, change included; in no other amount. Null where the mempool was not looked at in this session: unknown, not zero */
    readonly unconfirmed_zatoshi: number | null;
    /** Unspent mined notes that an unmined transaction spends; total_zatoshi still has them */
    readonly spent_unconfirmed_zatoshi: number | null;
    /** When the mempool was last looked at */
    readonly unconfirmed_as_of: string | null;
    /** In the order in which they were seen, 500 at most */
    readonly transactions: readonly {
      /** Lower-case hex, display (reversed) byte order */
      readonly txid: string;
      /** RFC 3339 time, UTC */
      readonly first_seen_at: string;
      /** It cannot be mined above; null: it never expires */
      readonly expiry_height: number | null;
      /** Notes that it makes for us, change included */
      readonly notes: readonly {
        /** ZIP 32 account index */
        readonly account: number;
        /** Shielded pool */
        readonly pool: 'sapling' | 'orchard' | 'ironwood';
        /** ZIP 32 key scope; internal is change */
        readonly scope: 'external' | 'internal';
        readonly output_index: number;
        /** Amount in zatoshi (10^-8 ZEC) */
        readonly value_zatoshi: number;
        /** Diversifier index, decimal (up to 88 bits) */
        readonly diversifier_index: string;
        /** What you call that address */
        readonly label: string | null;
        /** Null where there is none, and where the transaction was not read in full yet */
        readonly memo: {
          /** The memo, when it is text */
          readonly text?: string | undefined;
          /** The 512 bytes of a memo that is not text */
          readonly hex?: string | undefined;
        } | null;
      }[];
      /** Our mined notes that it spends */
      readonly spends: readonly {
        /** ZIP 32 account index */
        readonly account: number;
        /** Shielded pool */
        readonly pool: 'sapling' | 'orchard' | 'ironwood';
        /** The transaction that made the note */
        readonly txid: string;
        readonly output_index: number;
        /** Amount in zatoshi (10^-8 ZEC) */
        readonly value_zatoshi: number;
      }[];
    }[];
    /** Of this session, the latest first, 100 at most */
    readonly vanished: readonly {
      /** Lower-case hex, display (reversed) byte order */
      readonly txid: string;
      /** `expired`: every block up to its expiry height was scanned. `conflicted`: a mined transaction has spent what it spends. `dropped`: the other side has it no more, and it is in no block */
      readonly reason: 'expired' | 'conflicted' | 'dropped';
      /** RFC 3339 time, UTC */
      readonly at: string;
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly received_zatoshi: number;
      /** Amount in zatoshi (10^-8 ZEC) */
      readonly spent_zatoshi: number;
    }[];
  };
  readonly 'follow.get': {
    readonly enabled: boolean;
    /** Where blocks come from (default: node) */
    readonly source: 'node' | 'compact';
    /** Whether the wallet stays unlocked for as long as follow mode is on */
    readonly keep_open: boolean;
    /** waiting_for_unlock: also where there is no wallet yet. backing_off: the last look failed, see failure. off: also in a process that answers one command */
    readonly state: 'off' | 'waiting_for_unlock' | 'scanning' | 'caught_up' | 'backing_off';
    /** The chain tip as last seen; null before that */
    readonly last_tip_height: number | null;
    /** When a block above all others was last scanned, by whomever; null since the start */
    readonly last_new_block_at: string | null;
    /** When the source is asked at the latest; null while it is asked, and where nothing is followed */
    readonly next_look_at: string | null;
    /** Of the last look; null when it succeeded */
    readonly failure: {
      readonly code: string;
      readonly detail: string;
      /** RFC 3339 time, UTC */
      readonly at: string;
    } | null;
  };
  readonly 'follow.set': {
    readonly enabled: boolean;
    /** Where blocks come from (default: node) */
    readonly source: 'node' | 'compact';
    /** Whether the wallet stays unlocked for as long as follow mode is on */
    readonly keep_open: boolean;
    /** waiting_for_unlock: also where there is no wallet yet. backing_off: the last look failed, see failure. off: also in a process that answers one command */
    readonly state: 'off' | 'waiting_for_unlock' | 'scanning' | 'caught_up' | 'backing_off';
    /** The chain tip as last seen; null before that */
    readonly last_tip_height: number | null;
    /** When a block above all others was last scanned, by whomever; null since the start */
    readonly last_new_block_at: string | null;
    /** When the source is asked at the latest; null while it is asked, and where nothing is followed */
    readonly next_look_at: string | null;
    /** Of the last look; null when it succeeded */
    readonly failure: {
      readonly code: string;
      readonly detail: string;
      /** RFC 3339 time, UTC */
      readonly at: string;
    } | null;
  };
  readonly 'lwd.info': {
    readonly version: string;
    readonly vendor: string;
    readonly taddr_support: boolean;
    readonly chain_name: string;
    readonly sapling_activation_height: number;
    readonly consensus_branch_id: string;
    /** What the server says, unchecked; see GET /api/lwd/chain-tip for a checked one */
    readonly block_height: number;
    readonly git_commit: string;
    readonly branch: string;
    readonly build_date: string;
    readonly build_user: string;
    /** What the server says, unchecked */
    readonly estimated_height: number;
    readonly node_build: string;
    readonly node_subversion: string;
    readonly donation_address: string;
    readonly upgrade_name: string;
    readonly upgrade_height: number;
    readonly lightwallet_protocol_version: string;
    readonly compact_server_url: string;
    /** Null while there is none; asking never makes one */
    readonly store: {
      readonly path: string;
      readonly first_height: number | null;
      readonly last_height: number | null;
      readonly block_count: number;
      readonly missing_ranges: readonly {
        readonly start_height: number;
        readonly end_height: number;
      }[];
    } | null;
  };
  readonly 'lwd.chain_tip': {
    readonly height: number;
    /** Lower-case hex, display (reversed) byte order */
    readonly hash: string;
    readonly compact_server_url: string;
    /** Top of the local store */
    readonly stored_height: number | null;
  };
  readonly 'lwd.sync_compact': {
    readonly start_height: number;
    readonly end_height: number;
    readonly blocks_stored: number;
    readonly bytes: number;
    readonly chain_tip: number;
    readonly next_start_height: number;
    /** Whether every block asked for exists and is stored */
    readonly range_complete: boolean;
    /** Whether the store's top is the server's chain tip; `lwd.info` lists holes below it */
    readonly caught_up: boolean;
    readonly reorg: {
      /** The last common block */
      readonly fork_height: number;
      /** Blocks that were undone */
      readonly depth: number;
    } | null;
    /** Stored blocks above the wallet's last_scan_height: nothing is scanned here. Null without a wallet */
    readonly unscanned: {
      readonly start_height: number;
      readonly end_height: number;
    } | null;
    readonly db_path: string;
    /** Milliseconds */
    readonly elapsed_ms: number;
  };
  readonly 'lwd.prune': {
    readonly blocks_removed: number;
    /** Of the messages of these blocks */
    readonly bytes_removed: number;
    /** False: there are more to remove, since this one would have taken too long or a scan is reading them; ask again */
    readonly complete: boolean;
    /** 0 without a store */
    readonly file_bytes_before: number;
    readonly file_bytes_after: number;
    /** Of file_bytes_after: room that the next blocks will use, where a file of an earlier version gives none back */
    readonly reusable_bytes: number;
    /** What is left; null while there is none */
    readonly store: {
      readonly path: string;
      readonly first_height: number | null;
      readonly last_height: number | null;
      readonly block_count: number;
      readonly missing_ranges: readonly {
        readonly start_height: number;
        readonly end_height: number;
      }[];
    } | null;
    /** Milliseconds */
    readonly elapsed_ms: number;
  };
  readonly 'pairing.request': {
    readonly status: 'waiting' | 'allowed' | 'refused';
    /** To be shown to the person while it waits, else null */
    readonly code: string | null;
    /** When nobody has answered by then, ask anew */
    readonly expires_at: string | null;
  };
  readonly 'pairing.list': {
    /** Those that wait for an answer, oldest first */
    readonly requests: readonly {
      readonly origin: string;
      /** What the extension calls itself; anybody can call itself anything */
      readonly name: string | null;
      readonly code: string;
      /** RFC 3339 time, UTC */
      readonly asked_at: string;
      /** RFC 3339 time, UTC */
      readonly expires_at: string;
    }[];
    readonly allowed_origins: readonly string[];
  };
  readonly 'pairing.allow': {
    /** Those that wait for an answer, oldest first */
    readonly requests: readonly {
      readonly origin: string;
      /** What the extension calls itself; anybody can call itself anything */
      readonly name: string | null;
      readonly code: string;
      /** RFC 3339 time, UTC */
      readonly asked_at: string;
      /** RFC 3339 time, UTC */
      readonly expires_at: string;
    }[];
    readonly allowed_origins: readonly string[];
  };
  readonly 'pairing.refuse': {
    /** Those that wait for an answer, oldest first */
    readonly requests: readonly {
      readonly origin: string;
      /** What the extension calls itself; anybody can call itself anything */
      readonly name: string | null;
      readonly code: string;
      /** RFC 3339 time, UTC */
      readonly asked_at: string;
      /** RFC 3339 time, UTC */
      readonly expires_at: string;
    }[];
    readonly allowed_origins: readonly string[];
  };
  readonly 'pairing.revoke': {
    /** Those that wait for an answer, oldest first */
    readonly requests: readonly {
      readonly origin: string;
      /** What the extension calls itself; anybody can call itself anything */
      readonly name: string | null;
      readonly code: string;
      /** RFC 3339 time, UTC */
      readonly asked_at: string;
      /** RFC 3339 time, UTC */
      readonly expires_at: string;
    }[];
    readonly allowed_origins: readonly string[];
  };
  readonly 'hooks.list': {
    readonly hooks: readonly {
      readonly name: string;
      readonly kind: 'command' | 'webhook';
      /** Host of the address, or name of the program; never more of either */
      readonly target: string;
      readonly events: readonly ('change' | 'change.received' | 'change.memo' | 'change.confirmed' | 'change.spent' | 'change.unspent' | 'change.unreceived' | 'wallet.unlocked' | 'wallet.locked' | 'server.changed' | 'payment.changed' | 'sync.failed' | 'reorg')[];
      /** waiting_for_unlock: changes cannot be read while the wallet is locked. not_running: `serve` alone delivers */
      readonly state: 'idle' | 'delivering' | 'waiting_for_unlock' | 'backing_off' | 'not_running';
      /** Events that wait, changes not counted */
      readonly queued: number;
      /** Of the last delivery, or above it after a restart; 0: none yet */
      readonly last_sequence: number;
      readonly last_delivered_at: string | null;
      /** Tries that failed since something was delivered */
      readonly failures: number;
      /** Of the last try; null when it succeeded */
      readonly failure: {
        readonly reason: string;
        /** RFC 3339 time, UTC */
        readonly at: string;
      } | null;
      readonly next_try_at: string | null;
      /** Events given up since the start; changes never are */
      readonly dropped: number;
      /** When the place in the changes was last not known any more: those before it were not told */
      readonly began_anew_at: string | null;
    }[];
  };
  readonly 'system.version': {
    readonly name: string;
    readonly version: string;
    readonly api_version: 1;
    readonly network: 'main' | 'test' | 'regtest';
    readonly features: readonly string[];
  };
  readonly 'system.status': {
    readonly network: 'main' | 'test' | 'regtest';
    /** Null without a wallet */
    readonly last_scan_height: number | null;
    readonly node: {
      readonly state: 'unknown' | 'up' | 'behind' | 'lost' | 'refused' | 'wrong_network';
      /** When it was first found so; null when it was never asked */
      readonly since: string | null;
      /** The failure while it does not answer as it should */
      readonly code: string | null;
      /** When it last answered or failed to */
      readonly asked_at: string | null;
      /** Its tip as last seen */
      readonly tip_height: number | null;
      /** When that tip was first seen */
      readonly tip_risen_at: string | null;
      /** From this block on it has rules that this version does not know: update before. Null where it names none */
      readonly unknown_upgrade_height: number | null;
    };
    readonly compact_server: {
      readonly state: 'unknown' | 'up' | 'behind' | 'lost' | 'refused' | 'wrong_network';
      /** When it was first found so; null when it was never asked */
      readonly since: string | null;
      /** The failure while it does not answer as it should */
      readonly code: string | null;
      /** When it last answered or failed to */
      readonly asked_at: string | null;
      /** Its tip as last seen */
      readonly tip_height: number | null;
      /** When that tip was first seen */
      readonly tip_risen_at: string | null;
      /** From this block on it has rules that this version does not know: update before. Null where it names none */
      readonly unknown_upgrade_height: number | null;
    };
  };
}
