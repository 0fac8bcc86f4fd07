/** Returns what this browser keeps under a key; null: nothing, or it keeps nothing at all. */
export function readKept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text under a key, or removes it; a browser without room, or that forbids it, goes on without. */
export function keep(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // The storage is a convenience: a write that fails must not stop the person's act.
  }
}
