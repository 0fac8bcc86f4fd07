import type { ReactNode } from 'react';

/** Stands in place of an empty list: says what the list is for, and offers the next action. */
export function EmptyState({ icon, children, action }: { icon?: ReactNode; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty-state">
      {icon}
      <p>{children}</p>
      {action}
    </div>
  );
}
