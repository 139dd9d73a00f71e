// Calls between threads whose input and answer are the bytes of JSON texts (protocol/jsonCalls.ts): moved, so that the
// sender has no copy, and wiped by the reader.

import { encodeJson, parseJsonBody, withPathMembers } from '../protocol/jsonCalls.ts';
import { move } from './channel.ts';

type Fields = Readonly<Record<string, unknown>>;

/** `{json, inPath}` instead of `{input}` asks for the answer as bytes too. */
export async function answerJson(
  message: unknown,
  dispatch: (message: unknown) => Promise<unknown>,
): Promise<unknown> {
  const { json, inPath, ...rest } = (message ?? {}) as Fields;
  if (!(json instanceof Uint8Array)) return dispatch(message);
  const answer = encodeJson(await dispatch({ ...rest, input: inputOf(json, inPath as Fields | undefined) }));
  return move(answer, [answer.buffer]);
}

function inputOf(json: Uint8Array, inPath: Fields | undefined): unknown {
  try {
    return withPathMembers(parseJsonBody(json), inPath);
  } finally {
    json.fill(0);
  }
}
