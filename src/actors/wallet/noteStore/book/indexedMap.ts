// A map that keeps indexes over its values: the entries in sorted order, or in groups. A page of entries is then found
// without a look at all the others.

export interface Index<V> {
  add(value: V): void;
  remove(value: V): void;
  clear(): void;
}

export class IndexedMap<V> extends Map<string, V> {
  readonly #indexes: readonly Index<V>[];

  constructor(indexes: readonly Index<V>[]) {
    super();
    this.#indexes = indexes;
  }

  override set(key: string, value: V): this {
    const before = this.get(key);
    super.set(key, value);
    for (const index of this.#indexes) {
      if (before !== undefined) index.remove(before);
      index.add(value);
    }
    return this;
  }

  override delete(key: string): boolean {
    const before = this.get(key);
    if (before === undefined) return false;
    for (const index of this.#indexes) index.remove(before);
    return super.delete(key);
  }

  override clear(): void {
    super.clear();
    for (const index of this.#indexes) index.clear();
  }
}

/**
 * The values in order. Changes are gathered and merged in at the next read: in one pass, and not once for each of the
 * many commits between two reads.
 */
export class SortedIndex<V> implements Index<V> {
  readonly #compare: (a: V, b: V) => number;
  #sorted: readonly V[] = [];
  readonly #added = new Set<V>();
  readonly #removed = new Set<V>();

  constructor(compare: (a: V, b: V) => number) {
    this.#compare = compare;
  }

  add(value: V): void {
    if (!this.#removed.delete(value)) this.#added.add(value);
  }

  remove(value: V): void {
    if (!this.#added.delete(value)) this.#removed.add(value);
  }

  clear(): void {
    this.#sorted = [];
    this.#added.clear();
    this.#removed.clear();
  }

  get values(): readonly V[] {
    if (this.#added.size > 0 || this.#removed.size > 0) {
      const kept =
        this.#removed.size === 0 ? this.#sorted : this.#sorted.filter((value) => !this.#removed.has(value));
      const added = [...this.#added].sort(this.#compare);
      this.#sorted = kept.length === 0 ? added : merge(kept, added, this.#compare);
      this.#added.clear();
      this.#removed.clear();
    }
    return this.#sorted;
  }
}

function merge<V>(a: readonly V[], b: readonly V[], compare: (a: V, b: V) => number): V[] {
  const merged: V[] = [];
  let next = 0;
  for (const value of a) {
    while (next < b.length && compare(b[next]!, value) < 0) merged.push(b[next++]!);
    merged.push(value);
  }
  while (next < b.length) merged.push(b[next++]!);
  return merged;
}

/** The values of each name. Most names have one, which needs no list. */
export class GroupIndex<V extends object> implements Index<V> {
  readonly #nameOf: (value: V) => string | undefined;
  readonly #groups = new Map<string, V | V[]>();

  /** Values without a name belong to no group. */
  constructor(nameOf: (value: V) => string | undefined) {
    this.#nameOf = nameOf;
  }

  add(value: V): void {
    const name = this.#nameOf(value);
    if (name === undefined) return;
    const group = this.#groups.get(name);
    if (group === undefined) this.#groups.set(name, value);
    else if (Array.isArray(group)) group.push(value);
    else this.#groups.set(name, [group, value]);
  }

  remove(value: V): void {
    const name = this.#nameOf(value);
    if (name === undefined) return;
    const group = this.#groups.get(name);
    if (group === value) this.#groups.delete(name);
    else if (Array.isArray(group)) group.splice(group.indexOf(value), 1);
  }

  clear(): void {
    this.#groups.clear();
  }

  of(name: string): readonly V[] {
    const group = this.#groups.get(name);
    if (group === undefined) return [];
    return Array.isArray(group) ? group : [group];
  }
}
