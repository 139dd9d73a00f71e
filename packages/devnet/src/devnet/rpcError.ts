// A JSON-RPC error object; compact servers pass on its code and message for transactions.

export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
