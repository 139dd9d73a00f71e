// Speaks with the companion; the popup shows what it says. `wallet-companion/` beside this file is a copy of the
// client's package (docs/extensions.md says how).

import { CompanionError, createClient } from './wallet-companion/doors/index.js';
import { COMPANION_URL } from './settings.js';

const companion = createClient({ baseUrl: COMPANION_URL });

const actions = {
  async balance() {
    const { total_zatoshi, as_of_height, complete } = await companion.balance.get();
    // Before the first scan nothing is known, which is not the same as nothing being there.
    return { zatoshi: as_of_height === null ? null : total_zatoshi, complete };
  },
  // Only when a person wants it: who was shut out must not ask again by itself.
  async ask() {
    const { name } = chrome.runtime.getManifest();
    const { status, code } = await companion.pairing.request({ origin: location.origin, name });
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
