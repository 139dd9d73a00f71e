// Reads a list page by page, over any time and through whatever happens meanwhile: no entry comes twice, and none is
// missed that was there from the first page to the last.

interface ListPage {
  /** What names an entry and where it stands, in the order of the list. */
  readonly keys: readonly string[];
  readonly next: string | null;
}

type List = (page: { readonly limit: number; readonly cursor?: string }) => Promise<ListPage>;

const PAGE = 2;
const WHOLE = 1_000;

export class Reader {
  readonly #list: List;
  #cursor: string | null = null;
  #seen = new Set<string>();
  /** There at every page so far. */
  #always: ReadonlySet<string> | undefined;

  constructor(list: List) {
    this.#list = list;
  }

  async turn(): Promise<void> {
    // Asked at one time: answers to reads need no other thread, and no scan commits in between.
    const [page, whole] = await Promise.all([
      this.#list({ limit: PAGE, ...(this.#cursor === null ? {} : { cursor: this.#cursor }) }),
      this.#list({ limit: WHOLE }),
    ]);
    for (const key of page.keys) {
      if (this.#seen.has(key)) throw new Error(`listed twice: ${key}`);
      this.#seen.add(key);
    }
    const now = new Set(whole.keys);
    this.#always = new Set([...(this.#always ?? now)].filter((key) => now.has(key)));
    this.#cursor = page.next;
    if (page.next !== null) return;
    for (const key of this.#always) if (!this.#seen.has(key)) throw new Error(`never listed: ${key}`);
    this.forget();
  }

  async finish(): Promise<void> {
    do await this.turn();
    while (this.#cursor !== null);
  }

  forget(): void {
    this.#cursor = null;
    this.#seen = new Set();
    this.#always = undefined;
  }
}
