const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Returns the fields that differ from what a form began with, so that what somebody else has set meanwhile stays. Fields of a group
 * in `together` are all sent where one of them has changed.
 */
export function changesIn<Values extends object>(
  before: Readonly<Partial<Values>>,
  after: Values,
  together: readonly (readonly (keyof Values)[])[] = [],
): Partial<Values> {
  const isChanged = (field: keyof Values): boolean => !isSame(before[field], after[field]);
  const fields = (Object.keys(after) as (keyof Values)[]).filter((field) =>
    (together.find((group) => group.includes(field)) ?? [field]).some(isChanged),
  );
  const changes: Partial<Values> = {};
  for (const field of fields) changes[field] = after[field];
  return changes;
}
