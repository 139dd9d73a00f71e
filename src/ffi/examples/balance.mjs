// Prints the companion's version, its compact-block server's tip and the wallet's balance, through the C library with
// koffi. (A Node program should use @wallet-companion/client; this shows the C calls.)
//
//     node balance.mjs path/to/libcompanion.so [data directory]
import { promisify } from 'node:util';
import koffi from 'koffi';

const [libraryPath, dataDir = null] = process.argv.slice(2);
const library = koffi.load(libraryPath);
koffi.disposable('answer', 'str', library.func('void companion_free(void *text)'));
const options = koffi.struct('companion_options', {
  size: 'size_t',
  data_dir: 'str',
  config_dir: 'str',
  program: 'str',
  serve_arguments: 'void *',
  start_timeout_ms: 'int32_t',
});
// Asynchronous calls run on another thread: the event loop continues while the companion works.
const declare = (text) => promisify(library.func(text).async);
const open = declare('int companion_open(companion_options *options, _Out_ void **handle, _Out_ answer *problem)');
const close = declare('void companion_close(void *handle)');
const call = declare('int companion_call(void *handle, str command, str arguments_json, _Out_ answer *answer)');
const chainTip = declare(
  'int companion_lwd_chain_tip(void *handle, str compact_server_url, str db_path, _Out_ answer *answer)',
);

const handle = [null];
const answer = [null];
const code = await open(
  {
    size: koffi.sizeof(options),
    data_dir: dataDir,
    config_dir: null,
    program: null,
    serve_arguments: null,
    start_timeout_ms: 0,
  },
  handle,
  answer,
);
if (code !== 0) {
  console.error(JSON.parse(answer[0]).detail);
  process.exit(1);
}
await call(handle[0], 'version', null, answer);
console.log('version:', answer[0]);
await chainTip(handle[0], null, null, answer);
console.log('chain tip:', answer[0]);
await call(handle[0], 'balance', JSON.stringify({ account: 0 }), answer);
console.log('balance:', answer[0]);
await close(handle[0]);
