// Calls between threads whose input and answer are the bytes of JSON texts (protocol/jsonCalls.ts): moved, so that the
// sender has no copy, and wiped by the reader.

import { encodeJson, parseJsonBody } from '../protocol/jsonCalls.ts';
import { withPathMembers } from '../protocol/pathMembers.ts';
import { failure, ok, type Result } from '../protocol/result.ts';
import { move } from './channel.ts';

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
  if (!result.ok) return result;
  const encoded = encodeJson(result.value);
  return ok(move(encoded, [encoded.buffer]));
}
