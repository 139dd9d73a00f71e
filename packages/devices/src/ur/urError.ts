// What is no uniform resource, or not the one that is asked for. Its text is one sentence for people and holds nothing of
// what was read but the name of its type.

export class UrError extends Error {
  override readonly name = 'UrError';
}
