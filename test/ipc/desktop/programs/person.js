// What a person does in the desktop window, as a user script that the test adds to the page. What was seen is reported in
// the page's title.
(async () => {
  const seen = {};
  const report = (name, value) => {
    seen[name] = String(value);
    document.title = JSON.stringify(seen);
  };
  const element = (id) => document.getElementById(id);
  const until = async (condition) => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const type = (password) => {
    element('unlock-password').value = password;
    document.querySelector('#unlock-form button').click();
  };

  await until(() => !element('unlock').hidden);
  type('wrong');
  await until(() => !element('problem').hidden);
  report('problem', element('problem').textContent);
  type('correct horse');
  await until(() => !element('funds').hidden && element('total').textContent !== '');
  report('unscanned', element('total').textContent);
  report('theme', document.documentElement.dataset.theme);

  element('sync-start').click();
  await until(() => element('sync-text').textContent.includes('blocks/s'));
  report('progress', element('sync-text').textContent);
  await until(() => element('sync-text').textContent.startsWith('Up to date'));
  report('synced', element('sync-text').textContent);
  report('total', element('total').textContent);

  element('server-ask').click();
  await until(() => element('server').textContent.includes('v7.0.0'));
  report('server', element('server').textContent);

  // Ways out of the page.
  const inline = document.createElement('script');
  inline.textContent = 'document.title = "injected"';
  document.body.append(inline);
  report('fetched', await fetch('http://127.0.0.1:9/elsewhere').then(() => 'yes', () => 'refused'));
  report('opened', window.open('http://127.0.0.1:9/elsewhere'));
  location.href = 'http://127.0.0.1:9/elsewhere';
  await new Promise((resolve) => setTimeout(resolve, 500));
  report('location', location.href);
  report('done', true);
})();
