import type { ReactNode } from 'react';
import { classes } from './classes.ts';

// Blueprint's own marks, which its callouts have on all other screens.
const MARKS = {
  primary: 'M8 0C3.58 0 0 3.58 0 8s3.58 8 8 8 8-3.58 8-8-3.58-8-8-8M7 3h2v2H7zm3 10H6v-1h1V7H6V6h3v6h1z',
  warning:
    'm15.84 13.5.01-.01-7-12-.01.01c-.17-.3-.48-.5-.85-.5s-.67.2-.85.5l-.01-.01-7 12 .01.01c-.09.15-.15.31-.15.5 0 .55.45 1 1 1h14c.55 0 1-.45 1-1 0-.19-.06-.35-.15-.5m-6.85-.51h-2v-2h2zm0-3h-2v-5h2z',
  danger: 'M7.99-.01c-4.42 0-8 3.58-8 8s3.58 8 8 8 8-3.58 8-8-3.58-8-8-8m1 13h-2v-2h2zm0-3h-2v-7h2z',
};

interface CalloutProps {
  intent: keyof typeof MARKS;
  role?: 'alert';
  compact?: boolean;
  className?: string;
  children: ReactNode;
}

/** A callout that looks as Blueprint's, without its script. */
export function Callout({ intent, role, compact, className, children }: CalloutProps) {
  const look = classes(`bp6-callout bp6-intent-${intent}`, compact && 'bp6-compact', className);
  return (
    <div role={role} className={`${look} bp6-callout-has-body-content bp6-callout-icon`}>
      <span aria-hidden="true" className="bp6-icon">
        <svg width={16} height={16} viewBox="0 0 16 16">
          <path d={MARKS[intent]} fillRule="evenodd" />
        </svg>
      </span>
      {children}
    </div>
  );
}
