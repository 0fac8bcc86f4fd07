import type { Selection } from './DataTable.tsx';

/** Returns a selection that is a set of ids. `onChange` is called as React's setters are. */
export const setSelection = (
  ids: ReadonlySet<number>,
  onChange: (ids: ReadonlySet<number>) => void,
): Selection<{ id: number }> => ({
  has: (id) => ids.has(id),
  put: (rows, on) => {
    const next = new Set(ids);
    for (const { id } of rows) {
      if (on) next.add(id);
      else next.delete(id);
    }
    onChange(next);
  },
  clear: () => onChange(new Set()),
});
