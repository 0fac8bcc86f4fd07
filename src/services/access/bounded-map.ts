/** A map of `most` entries at most: a new key drops the oldest tenth of a full one, so that no flood of keys fills the memory. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  private readonly most: number;

  constructor(most: number) {
    super();
    this.most = most;
  }

  override set(key: Key, value: Value): this {
    if (this.size >= this.most && !this.has(key)) {
      for (const oldest of [...this.keys()].slice(0, Math.ceil(this.most / 10))) this.delete(oldest);
    }
    return super.set(key, value);
  }
}
