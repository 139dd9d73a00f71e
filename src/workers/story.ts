// Writes the events of an unattended companion to the log, each once: earlier states are kept, so that a call that
// fails every ten seconds is one line. Never an amount, a txid, an address or a key.

import { walletField } from '@wallet-companion/client/contract';
import type { CompanionEvent, EventBody } from '../protocol/events.ts';
import type { AllEvents } from '../protocol/link.ts';
import type { ServerName, ServerState } from '../protocol/operations/status.ts';

export interface StoryLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

const NAMES: Readonly<Record<ServerName, string>> = { node: 'node', compact_server: 'compact server' };

/** Logged with the server's state, and not a second time. */
const TOLD_WITH_SERVER: ReadonlySet<string> = new Set([
  'NODE_UNREACHABLE',
  'COMPACT_SERVER_UNREACHABLE',
  'UPSTREAM_TIMEOUT',
  'NODE_UNAUTHORIZED',
  'NETWORK_MISMATCH',
  'NODE_BEHIND',
]);

/** Returns a function that ends it. */
export function logStory(link: AllEvents, log: StoryLog): () => void {
  const stories = new Map<string, Story>();
  return link.subscribeToAll((event, wallet) => {
    const story = stories.get(wallet) ?? new Story(naming(log, wallet));
    stories.set(wallet, story);
    story.hear(event);
  });
}

const naming = (log: StoryLog, wallet: string): StoryLog => ({
  info: (fields, message) => log.info({ ...walletField(wallet), ...fields }, message),
  warn: (fields, message) => log.warn({ ...walletField(wallet), ...fields }, message),
});

class Story {
  readonly #log: StoryLog;
  readonly #servers = new Map<ServerName, ServerState>();
  #isOpen = false;
  #received = 0;
  #spent = 0;
  #isCaughtUp = false;
  #isFollowing = false;
  #failure: string | undefined;

  constructor(log: StoryLog) {
    this.#log = log;
  }

  hear(heard: CompanionEvent): void {
    switch (heard.event) {
      case 'wallet.unlocked':
        this.#isOpen = true;
        this.#log.info({}, 'wallet unlocked');
        break;
      case 'wallet.locked':
        this.#logNotes();
        // A lost thread sends this event with or without a session.
        if (this.#isOpen) this.#log.info({ reason: heard.data.reason }, 'wallet locked');
        this.#isOpen = false;
        this.#isCaughtUp = false;
        break;
      case 'note.received':
        this.#received += 1;
        break;
      case 'note.spent':
        this.#spent += 1;
        break;
      case 'blocks.contradicted': {
        const { start_height: startHeight, end_height: endHeight, blocks } = heard.data;
        this.#log.warn({ startHeight, endHeight, blocks }, 'compact server contradicted by full blocks');
        break;
      }
      case 'reorg':
        this.#isCaughtUp = false;
        this.#log.warn({ forkHeight: heard.data.fork_height, depth: heard.data.depth }, 'chain reorganised');
        break;
      case 'follow.changed':
        this.#followChanged(heard.data.enabled);
        break;
      case 'sync.finished':
        this.#logNotes();
        this.#scanEnded(heard.data);
        break;
      case 'server.changed':
        this.#serverChanged(heard.data);
        break;
      default:
    }
  }

  #followChanged(isFollowing: boolean): void {
    if (isFollowing !== this.#isFollowing)
      this.#log.info(
        {},
        isFollowing ? 'new blocks are followed while it is open' : 'new blocks are followed no longer',
      );
    this.#isFollowing = isFollowing;
  }

  #logNotes(): void {
    const [received, spent] = [this.#received, this.#spent];
    this.#received = 0;
    this.#spent = 0;
    if (received + spent > 0) this.#log.info({ received, spent }, 'notes found');
  }

  #scanEnded(ended: EventBody<'sync.finished'>): void {
    if (!ended.ok) {
      const { code } = ended;
      this.#isCaughtUp = false;
      if (code !== this.#failure && !TOLD_WITH_SERVER.has(code)) this.#log.warn({ code }, 'scan failed');
      this.#failure = code;
      return;
    }
    const { caught_up, complete, last_scan_height } = ended.summary;
    this.#failure = undefined;
    if (caught_up && !this.#isCaughtUp)
      this.#log.info({ height: last_scan_height, complete }, 'scanned up to the chain tip');
    this.#isCaughtUp = caught_up;
  }

  #serverChanged({ server, state, code }: EventBody<'server.changed'>): void {
    const before = this.#servers.get(server);
    if (before === state) return;
    this.#servers.set(server, state);
    const name = NAMES[server];
    switch (state) {
      case 'up':
        this.#log.info({}, before === undefined ? `${name} answers` : `${name} is back`);
        break;
      case 'lost':
        this.#log.warn({ code }, `${name} lost`);
        break;
      case 'refused':
        this.#log.warn({ code }, `${name} refuses our credentials`);
        break;
      case 'wrong_network':
        this.#log.warn({ code }, `${name} is of another network`);
        break;
      case 'other_chain':
        this.#log.warn({ code }, `${name} follows a chain with less work than the network's peers show`);
        break;
      case 'behind':
        this.#log.warn({}, `${name} is behind what was scanned`);
        break;
      case 'unknown':
    }
  }
}
