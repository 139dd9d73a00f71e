// A JSON-RPC error object; compact servers pass on code and words of those that transactions get.

export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
