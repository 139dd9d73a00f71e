// Speaks with the companion; the popup shows what it says. `wallet-companion/` beside this file is a copy of the
// client's package (docs/extensions.md says how).

import { CompanionError, createClient } from './wallet-companion/doors/index.js';
import { COMPANION_URL } from './settings.js';

/** It reads the balance of the default wallet and nothing else. After three months a person is to say so again. */
const NEEDS = { scopes: ['read'], wallets: ['default'], days: 90 };

/** Made once, and known to this extension alone: without it any program that names its origin is taken for it. */
async function ownToken() {
  const { token } = await chrome.storage.local.get('token');
  if (token !== undefined) return token;
  const made = inHex(crypto.getRandomValues(new Uint8Array(32)));
  await chrome.storage.local.set({ token: made });
  return made;
}

const inHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const sha256 = async (text) =>
  inHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));

const connected = async () => createClient({ baseUrl: COMPANION_URL, token: await ownToken() });

const actions = {
  async balance() {
    const companion = await connected();
    const { total_zatoshi, as_of_height, complete } = await companion.balance.get();
    // Before the first scan nothing is known, which is not the same as nothing being there.
    return { zatoshi: as_of_height === null ? null : total_zatoshi, complete };
  },
  // Only when a person wants it: an extension that was refused must not ask again by itself.
  async ask() {
    const { name } = chrome.runtime.getManifest();
    const companion = createClient({ baseUrl: COMPANION_URL });
    const token_hash = await sha256(await ownToken());
    const wanted = { origin: location.origin, name, token_hash, ...NEEDS };
    const { status, code } = await companion.pairing.request(wanted);
    return { status, code };
  },
};

chrome.runtime.onMessage.addListener((action, sender, answer) => {
  // Content scripts send messages too; they run in pages that are not ours.
  if (sender.id !== chrome.runtime.id || sender.tab?.url?.startsWith('http') === true) return false;
  if (!Object.hasOwn(actions, action)) return false;
  actions[action]().then(answer, (error) => {
    if (error instanceof CompanionError) answer({ code: error.code, text: error.message, failed: true });
    else answer({ code: 'INTERNAL', text: 'Something went wrong in this extension.', failed: true });
  });
  return true; // the answer comes later
});
