import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon?: ReactNode;
  title?: ReactNode;
  children: ReactNode;
  action?: ReactNode;
}

/** Stands in place of an empty list: says what the list is for, and offers the next action. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="empty-state">
      {icon}
      {title !== undefined && <h3 className="empty-title bp6-heading">{title}</h3>}
      <p>{children}</p>
      {action}
    </div>
  );
}
