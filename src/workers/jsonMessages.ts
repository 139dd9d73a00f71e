// Calls between threads whose input and answer are the bytes of JSON texts (protocol/jsonCalls.ts): moved, so that the
// sender has no copy, and wiped by the reader.

import { encodeJson, parseJsonBody } from '../protocol/jsonCalls.ts';
import { withPathMembers } from '../protocol/pathMembers.ts';
import { failure, ok, type Result } from '../protocol/result.ts';

type Fields = Readonly<Record<string, unknown>>;

/** `{json, inPath}` instead of `{input}` asks for the answer as bytes too. Never throws. */
export async function answerJson(
  message: unknown,
  dispatch: (message: unknown) => Promise<Result<unknown>>,
): Promise<Result<unknown>> {
  const { json, inPath, ...rest } = (message ?? {}) as Fields;
  if (!(json instanceof Uint8Array)) return dispatch(message);
  let input: unknown;
  try {
    input = withPathMembers(parseJsonBody(json), inPath as Fields | undefined);
  } catch (thrown) {
    return failure(thrown);
  } finally {
    json.fill(0);
  }
  const result = await dispatch({ ...rest, input });
  return result.ok ? ok(encodeJson(result.value)) : result;
}

/** Only bytes are moved. */
export const jsonBuffersOf = (result: Result<unknown>): ArrayBuffer[] =>
  result.ok && result.value instanceof Uint8Array && result.value.buffer instanceof ArrayBuffer
    ? [result.value.buffer]
    : [];
