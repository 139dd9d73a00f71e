// The window's page: status, unlock, balance, sync with progress, compact server. It talks to the companion by its own
// scheme, which the window answers in the same process.

import { balanceText } from './balance.js';
import { syncToTip } from './syncToTip.js';

const STATUS_EVERY_MS = 1000;
const PROGRESS_EVERY_MS = 400;

const element = (id) => document.getElementById(id);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves with the output, rejects with the problem record. */
async function invoke(command, args = {}) {
  const response = await fetch(`/invoke/${command}`, { method: 'POST', body: JSON.stringify(args) });
  const result = await response.json();
  if (result.ok) return result.value;
  throw result.error;
}

function show(problem) {
  const place = element('problem');
  place.hidden = problem === undefined;
  place.textContent = problem === undefined ? '' : (problem.detail ?? String(problem));
}

/** Runs what a control does, with the control off meanwhile and the failure shown. */
async function act(control, work) {
  control.disabled = true;
  show(undefined);
  try {
    await work();
  } catch (problem) {
    show(problem);
  } finally {
    control.disabled = false;
  }
}

let isSyncing = false;
let isUnlocked;

async function refresh() {
  const { exists, unlocked, network, syncing } = await invoke('wallet_status');
  const showsPhrase = !element('phrase').hidden;
  element('status').textContent = `${network} · ${!exists ? 'no wallet' : unlocked ? 'unlocked' : 'locked'}`;
  element('create').hidden = exists;
  element('unlock').hidden = !exists || unlocked;
  element('funds').hidden = !unlocked || showsPhrase;
  element('sync').hidden = !unlocked || showsPhrase;
  if (unlocked && unlocked !== isUnlocked) await refreshBalance();
  isUnlocked = unlocked;
  if (syncing && !isSyncing) await showProgress();
}

async function refreshBalance() {
  const { total, note, rows } = balanceText(await invoke('balance'));
  element('total').textContent = total;
  element('balance-note').textContent = note;
  element('pools').replaceChildren(
    ...rows.map((cells) => {
      const row = document.createElement('tr');
      for (const text of cells) {
        const cell = document.createElement('td');
        cell.textContent = text;
        row.append(cell);
      }
      return row;
    }),
  );
}

async function showProgress() {
  const { progress, last_scan_height: height } = await invoke('sync_status');
  if (progress === null) {
    element('sync-text').textContent = `Scanned up to block ${height}.`;
    return;
  }
  element('sync-bar').max = Math.max(1, progress.blocks_total);
  element('sync-bar').value = progress.blocks_scanned;
  const eta = progress.eta_seconds === null ? '' : `, ${Math.ceil(progress.eta_seconds)} s left in this part`;
  element('sync-text').textContent =
    `Block ${progress.committed_height} of ${progress.end_height}: ` +
    `${Math.round(progress.blocks_per_second)} blocks/s, ${progress.notes_found} notes found${eta}`;
}

async function syncAndShow() {
  isSyncing = true;
  element('sync-cancel').hidden = false;
  const watching = (async () => {
    while (isSyncing) {
      await showProgress().catch(() => undefined);
      await pause(PROGRESS_EVERY_MS);
    }
  })();
  try {
    const outcome = await syncToTip((range) => invoke('sync', range), refreshBalance);
    element('sync-bar').value = element('sync-bar').max;
    element('sync-text').textContent = outcome;
  } finally {
    const text = element('sync-text').textContent;
    isSyncing = false;
    element('sync-cancel').hidden = true;
    await watching;
    element('sync-text').textContent = text;
  }
}

async function askServer() {
  const info = await invoke('lwd_info');
  const { store } = info;
  const entries = {
    Address: info.compact_server_url,
    Server: [info.vendor, info.version].filter(Boolean).join(' '),
    Chain: `${info.chain_name}, block ${info.block_height}`,
    'Local store': store === null ? 'none' : `${store.block_count} blocks up to ${store.last_height}`,
  };
  element('server').replaceChildren(
    ...Object.entries(entries).flatMap(([name, text]) => {
      const term = document.createElement('dt');
      term.textContent = name;
      const description = document.createElement('dd');
      description.textContent = text;
      return [term, description];
    }),
  );
}

element('create-form').addEventListener('submit', (event) => {
  event.preventDefault();
  act(event.submitter, async () => {
    const password = element('create-password').value;
    if (password !== element('create-again').value) throw { detail: 'The two passwords are not the same.' };
    const { mnemonic } = await invoke('wallet_create', { password });
    event.target.reset();
    element('phrase-words').textContent = mnemonic;
    element('phrase').hidden = false;
    await refresh();
  });
});

element('phrase-done').addEventListener('click', (event) => {
  element('phrase-words').textContent = '';
  element('phrase').hidden = true;
  act(event.target, refresh);
});

element('unlock-form').addEventListener('submit', (event) => {
  event.preventDefault();
  act(event.submitter, async () => {
    const password = element('unlock-password').value;
    event.target.reset();
    await invoke('wallet_unlock', { password });
    await refresh();
  });
});

element('lock').addEventListener('click', (event) =>
  act(event.target, async () => {
    await invoke('wallet_lock');
    await refresh();
  }),
);
element('sync-start').addEventListener('click', (event) => act(event.target, syncAndShow));
element('sync-cancel').addEventListener('click', (event) => act(event.target, () => invoke('sync_cancel')));
element('server-ask').addEventListener('click', (event) => act(event.target, askServer));

invoke('config_get')
  .then(({ theme }) => {
    if (theme !== 'system') document.documentElement.dataset.theme = theme;
  })
  .catch(show);

for (;;) {
  await refresh().catch(show);
  await pause(STATUS_EVERY_MS);
}
