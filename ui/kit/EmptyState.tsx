import type { ReactNode } from 'react';

/** What stands where a list would be: what the place is for, and the one thing to do next. */
export function EmptyState({ icon, children, action }: { icon?: ReactNode; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty-state">
      {icon}
      <p>{children}</p>
      {action}
    </div>
  );
}
