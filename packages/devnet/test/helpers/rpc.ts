/** One JSON-RPC call as a plain client makes it. */
export async function rpcCall(
  url: string,
  method: string,
  params: readonly unknown[] = [],
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; text: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return { status: response.status, text: await response.text() };
}

export async function rpcResult<T>(url: string, method: string, ...params: unknown[]): Promise<T> {
  const { text } = await rpcCall(url, method, params);
  const { result, error } = JSON.parse(text) as { result?: T; error?: unknown };
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result as T;
}

export async function rpcErrorCode(url: string, method: string, ...params: unknown[]): Promise<number> {
  const { text } = await rpcCall(url, method, params);
  return (JSON.parse(text) as { error: { code: number } }).error.code;
}
