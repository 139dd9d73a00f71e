// What the person sees: the balance, or the code to compare with the one that the companion shows.

const said = document.querySelector('#said');
const code = document.querySelector('#code');
const ask = document.querySelector('#ask');

const ASK_AGAIN_MS = 2_000;

function show(text, { codeText = '', mayAsk = false } = {}) {
  said.textContent = text;
  code.textContent = codeText;
  ask.hidden = !mayAsk;
}

async function showBalance() {
  const { zatoshi, complete, failed, code: reason, text } = await chrome.runtime.sendMessage('balance');
  if (failed !== true) {
    const amount = zatoshi === null ? 'unknown' : `${(zatoshi / 1e8).toFixed(8)} ZEC`;
    show(`Balance: ${amount}${zatoshi === null || complete ? '' : ' so far'}`);
  } else if (reason === 'COMPANION_UNREACHABLE') {
    // A browser does not tell which of the two it is.
    show('The companion is not running, or it has not let this extension in.', { mayAsk: true });
  } else if (reason === 'GRANT_EXPIRED') {
    show('The time for which this extension was let in is over.', { mayAsk: true });
  } else if (reason === 'WALLET_LOCKED') {
    show('The wallet is locked. Unlock it in the companion.');
  } else {
    show(text);
  }
}

async function askToBeLetIn() {
  const { status, code: shown, failed, text } = await chrome.runtime.sendMessage('ask');
  if (failed === true) return show(text, { mayAsk: true });
  if (status === 'allowed') return showBalance();
  if (status === 'refused') return show('The companion has refused this extension.');
  show('Compare this code with the one in the companion:', { codeText: shown });
  setTimeout(askToBeLetIn, ASK_AGAIN_MS);
}

ask.addEventListener('click', askToBeLetIn);
await showBalance();
