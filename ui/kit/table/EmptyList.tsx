import { Button } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import type { Key } from '../../../src/shared/i18n/index.ts';
import { EmptyState } from '../EmptyState.tsx';
import { T } from '../T.tsx';

interface EmptyListProps {
  /** What is said where no filter is set. */
  none: Key;
  /** What is said where the filters leave nothing. */
  nothing?: Key;
  /** Resets the filters; undefined: none is set. */
  onReset: (() => void) | undefined;
  /** What leads to the first row. */
  action?: ReactNode;
}

/** In place of an empty list: resets the filters that leave nothing of it, or else leads to its first row. */
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
