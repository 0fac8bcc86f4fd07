import type { ReactNode } from 'react';
import { FolderOpenIcon } from './icons.tsx';

const MARK = <FolderOpenIcon size={20} className="muted" />;

interface EmptyStateProps {
  /** Its mark; an open folder by default. */
  icon?: ReactNode;
  title?: ReactNode;
  children: ReactNode;
  action?: ReactNode;
}

/** Stands in place of an empty list: says what the list is for, and offers the next action. */
export function EmptyState({ icon = MARK, title, children, action }: EmptyStateProps) {
  return (
    <div className="empty-state">
      {icon}
      {title !== undefined && <h3 className="empty-title bp6-heading">{title}</h3>}
      <p>{children}</p>
      {action}
    </div>
  );
}
