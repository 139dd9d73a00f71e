// What a person does in the desktop window, as a user script that the test adds to each page: what, the page's address says.
// What was seen is reported in the page's title.
(async () => {
  const seen = {};
  const report = (name, value) => {
    seen[name] = String(value);
    document.title = JSON.stringify(seen);
  };
  const until = async (condition) => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const text = () => document.body.innerText;
  const see = (wanted) => until(() => text().includes(wanted));
  const click = (name) => [...document.querySelectorAll('button, a, summary')].find((found) => found.checkVisibility() && found.innerText.trim() === name).click();
  const unlockWith = (password) => {
    document.querySelector('input[type=password]').value = password;
    click('Unlock');
  };

  const total = (first) => until(() => document.querySelector('.total')?.textContent.startsWith(first));

  // The window was opened for this wallet: another one is chosen, which loads the page anew.
  if (location.hash === '#savings/') {
    await see('Unlock your wallet');
    unlockWith('correct horse');
    await total('0.00000015');
    report('savings', document.querySelector('.wallets summary').innerText);
    await total('3');
    document.querySelector('.wallets summary').click();
    click('default');
    return;
  }
  if (location.hash === '#/') {
    await total('3');
    report('wallet', document.querySelector('.wallets summary').innerText);
    await total('7');
    report('live', document.querySelector('.total').textContent);
    report('location', location.href);
    report('done', true);
    return;
  }

  await see('Unlock your wallet');
  unlockWith('wrong');
  await see('The password is wrong.');
  report('left', document.querySelector('input[type=password]').value);
  unlockWith('correct horse');
  await see('Nothing has been scanned yet. Scan to find out.');
  report('unscanned', document.querySelector('.total').textContent);
  report('theme', document.documentElement.dataset.theme);

  click('Scan now');
  await see('blocks and');
  await until(() => [...document.querySelectorAll('.hint')].some((found) => found.innerText.includes('blocks and')));
  report('progress', [...document.querySelectorAll('.hint')].find((found) => found.innerText.includes('blocks and')).innerText);
  await until(() => document.querySelector('.total').textContent !== 'Unknown');
  report('total', document.querySelector('.total').textContent);

  // Nobody touches the page: what happens elsewhere comes by itself.
  report('waiting', true);
  await until(() => document.querySelector('.total').textContent.startsWith('7'));
  report('live', document.querySelector('.total').textContent);

  click('Receive');
  await see('Your address');
  await until(() => document.querySelector('.address code')?.textContent.length > 0);
  report('address', document.querySelector('.address code').textContent);

  click('Scan');
  await see('Ask the server');
  click('Ask the server');
  await see('Blocks kept here');
  report('server', [...document.querySelectorAll('section')].find((found) => found.innerText.startsWith('Compact server')).innerText);

  // Ways out of the page.
  const inline = document.createElement('script');
  try {
    inline.textContent = 'document.title = "injected"';
    document.body.append(inline);
  } catch {}
  report('fetched', await fetch('http://127.0.0.1:9/elsewhere').then(() => 'yes', () => 'refused'));
  report('opened', window.open('http://127.0.0.1:9/elsewhere'));
  location.href = 'http://127.0.0.1:9/elsewhere';
  await new Promise((resolve) => setTimeout(resolve, 500));
  report('location', location.href.replace(/#.*/, ''));

  report('locking', true);
  await see('Unlock your wallet');
  report('locked', /ZEC|uregtest|u1/.test(text()) ? text() : 'nothing left');
  report('done', true);
})();
