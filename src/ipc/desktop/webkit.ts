// The system's WebKitGTK through koffi: the few functions that the companion's window needs. koffi and WebKitGTK may
// both be absent, which is reported and affects nothing else.
//
// The page communicates through a custom URI scheme. Rejected: script message handlers and evaluated scripts. Their
// values start WebKit's script engine in this process, which checks its stack and aborts on the stack that koffi calls
// from.

import { CompanionError } from '../../protocol/errors.ts';

/** An address in the library's memory. */
export type Pointer = unknown;

type Koffi = typeof import('koffi').default;
type Library = ReturnType<Koffi['load']>;

const LIBRARIES = {
  gtk: 'libgtk-3.so.0',
  webkit: 'libwebkit2gtk-4.1.so.0',
  glib: 'libglib-2.0.so.0',
  gio: 'libgio-2.0.so.0',
  gobject: 'libgobject-2.0.so.0',
} as const;

const RTLD_NOW = 0x2;
const RTLD_NODELETE = 0x1000;

type Libraries = Readonly<Record<keyof typeof LIBRARIES, Library>>;

export interface WebKit {
  readonly koffi: Koffi;
  readonly libraries: Libraries;
}

const unavailable = (reason: string, cause?: unknown): CompanionError =>
  new CompanionError(
    'NOT_FOUND',
    `The desktop window cannot open: ${reason}. The same operations are there over HTTP and on the command line.`,
    cause === undefined ? {} : { cause },
  );

/** Throws `NOT_FOUND` that names what is missing. */
export async function loadWebKit(): Promise<WebKit> {
  const webkit = await loadLibraries();
  if (webkit.libraries.gtk.func('int gtk_init_check(void *argc, void *argv)')(null, null) !== 1) {
    throw unavailable('there is no graphical display');
  }
  return webkit;
}

export async function loadLibraries(): Promise<WebKit> {
  if (process.platform !== 'linux') throw unavailable('it needs WebKitGTK, which is for Linux');
  const koffi = await import('koffi').then(
    (module) => module.default,
    (cause: unknown) => {
      throw unavailable('the optional package koffi is not installed (npm install -g koffi)', cause);
    },
  );
  const load = (file: string): Library => {
    try {
      return koffi.load(file);
    } catch (cause) {
      throw unavailable(`${file} is not installed (Debian: apt install libwebkit2gtk-4.1-0)`, cause);
    }
  };
  const libraries = {
    gtk: load(LIBRARIES.gtk),
    webkit: load(LIBRARIES.webkit),
    glib: load(LIBRARIES.glib),
    gio: load(LIBRARIES.gio),
    gobject: load(LIBRARIES.gobject),
  };
  // Its threads still run while the process ends and koffi unloads its libraries, so the code must stay loaded.
  koffi.load(null).func('void *dlopen(str file, int flags)')(LIBRARIES.webkit, RTLD_NOW | RTLD_NODELETE);
  return { koffi, libraries };
}

/** What a page asks for, and the answer. */
interface RequestBindings {
  requestMethod(request: Pointer): string;
  requestPath(request: Pointer): string;
  /** At most `limit` bytes of the body. */
  requestBody(request: Pointer, limit: number): Buffer;
  keep(object: Pointer): void;
  release(object: Pointer): void;
  answer(request: Pointer, status: number, type: string, body: Buffer): void;
}

export interface Bindings extends RequestBindings {
  newContext(): Pointer;
  registerScheme(context: Pointer, scheme: string, handler: Pointer): void;
  newView(context: Pointer): Pointer;
  newWindow(title: string, width: number, height: number, content: Pointer): Pointer;
  destroyWindow(window: Pointer): void;
  loadUri(view: Pointer, uri: string): void;
  connect(instance: Pointer, signal: string, handler: Pointer): void;
  /** The URL that a navigation would open. */
  navigationTarget(decision: Pointer): string;
  refuse(decision: Pointer): void;
  /** Runs one iteration of GTK's loop; returns whether it had work. */
  turn(): boolean;
}

const TOPLEVEL = 0;

export function bind({ libraries }: WebKit): Bindings {
  const { gtk, webkit, glib, gobject } = libraries;
  const contextNew = webkit.func('void *webkit_web_context_new_ephemeral()');
  const securityManager = webkit.func('void *webkit_web_context_get_security_manager(void *context)');
  const secureScheme = webkit.func(
    'void webkit_security_manager_register_uri_scheme_as_secure(void *manager, str scheme)',
  );
  const registerScheme = webkit.func(
    'void webkit_web_context_register_uri_scheme(void *context, str scheme, void *handler, void *user, void *destroy)',
  );
  const windowNew = gtk.func('void *gtk_window_new(int type)');
  const windowTitle = gtk.func('void gtk_window_set_title(void *window, str title)');
  const windowSize = gtk.func('void gtk_window_set_default_size(void *window, int width, int height)');
  const containerAdd = gtk.func('void gtk_container_add(void *container, void *content)');
  const showAll = gtk.func('void gtk_widget_show_all(void *widget)');
  const signalConnect = gobject.func(
    'unsigned long g_signal_connect_data(void *instance, str signal, void *handler, void *user, void *destroy, int flags)',
  );
  const actionOf = webkit.func(
    'void *webkit_navigation_policy_decision_get_navigation_action(void *decision)',
  );
  const requestOf = webkit.func('void *webkit_navigation_action_get_request(void *action)');
  const uriOf = webkit.func('str webkit_uri_request_get_uri(void *request)');
  const iteration = glib.func('int g_main_context_iteration(void *context, int may_block)');
  return {
    newContext: contextNew,
    registerScheme(context, scheme, handler) {
      registerScheme(context, scheme, handler, null, null);
      secureScheme(securityManager(context), scheme);
    },
    newView: webkit.func('void *webkit_web_view_new_with_context(void *context)'),
    newWindow(title, width, height, content) {
      const window: Pointer = windowNew(TOPLEVEL);
      windowTitle(window, title);
      windowSize(window, width, height);
      containerAdd(window, content);
      showAll(window);
      return window;
    },
    destroyWindow: gtk.func('void gtk_widget_destroy(void *widget)'),
    loadUri: webkit.func('void webkit_web_view_load_uri(void *view, str uri)'),
    connect: (instance, signal, handler) => void signalConnect(instance, signal, handler, null, null, 0),
    ...bindRequests(libraries),
    navigationTarget: (decision) => uriOf(requestOf(actionOf(decision))) as string,
    refuse: webkit.func('void webkit_policy_decision_ignore(void *decision)'),
    turn: () => iteration(null, 0) === 1,
  };
}

function bindRequests({ webkit, glib, gio, gobject }: Libraries): RequestBindings {
  const bodyOf = webkit.func('void *webkit_uri_scheme_request_get_http_body(void *request)');
  const readAll = gio.func(
    'int g_input_stream_read_all(void *stream, _Out_ uint8_t *into, size_t size, _Out_ size_t *length, void *cancel, void *error)',
  );
  const bytesNew = glib.func('void *g_bytes_new(const uint8_t *data, size_t size)');
  const bytesUnref = glib.func('void g_bytes_unref(void *bytes)');
  const streamNew = gio.func('void *g_memory_input_stream_new_from_bytes(void *bytes)');
  const responseNew = webkit.func('void *webkit_uri_scheme_response_new(void *stream, int64_t length)');
  const responseStatus = webkit.func(
    'void webkit_uri_scheme_response_set_status(void *response, unsigned int status, str reason)',
  );
  const responseType = webkit.func(
    'void webkit_uri_scheme_response_set_content_type(void *response, str type)',
  );
  const finish = webkit.func(
    'void webkit_uri_scheme_request_finish_with_response(void *request, void *response)',
  );
  const unref = gobject.func('void g_object_unref(void *object)');
  return {
    requestMethod: webkit.func('str webkit_uri_scheme_request_get_http_method(void *request)'),
    requestPath: webkit.func('str webkit_uri_scheme_request_get_path(void *request)'),
    requestBody(request, limit) {
      const stream: Pointer = bodyOf(request);
      if (stream === null) return Buffer.alloc(0);
      const into = Buffer.alloc(limit);
      const length: unknown[] = [0];
      readAll(stream, into, limit, length, null, null);
      unref(stream);
      return into.subarray(0, Number(length[0]));
    },
    keep: gobject.func('void *g_object_ref(void *object)'),
    release: unref,
    answer(request, status, type, body) {
      const bytes: Pointer = bytesNew(body, body.length);
      const stream: Pointer = streamNew(bytes);
      const response: Pointer = responseNew(stream, body.length);
      responseStatus(response, status, null);
      responseType(response, type);
      finish(request, response);
      unref(response);
      unref(stream);
      bytesUnref(bytes);
    },
  };
}
