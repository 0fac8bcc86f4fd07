/** Returns what rows are called: two may share a name, and the id tells those apart. */
export const nameOf =
  (items: readonly { id: number; name: string }[]) =>
  ({ id, name }: { id: number; name: string }): string =>
    items.some((other) => other.id !== id && other.name === name) ? `${name} (${id})` : name;
