import { Button } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import type { Key } from '../../../src/shared/i18n/index.ts';
import { EmptyState } from '../EmptyState.tsx';
import { T } from '../T.tsx';

interface EmptyListProps {
  /** The sentence where no filter is set. */
  none: Key;
  /** The sentence where no row passes the filters. */
  nothing?: Key;
  /** Resets the filters; undefined: none is set. */
  onReset: (() => void) | undefined;
  /** The link or button that adds the first row. */
  action?: ReactNode;
}

/** Stands in place of an empty list: offers to reset its filters, or else to add its first row. */
export function EmptyList({ none, nothing = 'ui.nothing_found', onReset, action }: EmptyListProps) {
  if (!onReset) {
    return (
      <EmptyState action={action}>
        <T k={none} />
      </EmptyState>
    );
  }
  return (
    <EmptyState action={<Button text={<T k="sites.reset" />} onClick={onReset} />}>
      <T k={nothing} />
    </EmptyState>
  );
}
