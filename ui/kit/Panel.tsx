import { useId, type ReactNode } from 'react';

interface PanelProps {
  title: ReactNode;
  /** How many of them there are. */
  count?: string | undefined;
  /** A note or an action at the right of the title. */
  aside?: ReactNode;
  /** Content that reaches the edges, such as a list; without it the content has a margin. */
  flush?: boolean;
  children: ReactNode;
}

/** A part of a screen on a ground of its own, with a title. */
export function Panel({ title, count, aside, flush = false, children }: PanelProps) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id} className="bp6-heading">
          {title}
        </h2>
        {count !== undefined && <span className="count">{count}</span>}
        {aside && <div className="panel-aside">{aside}</div>}
      </div>
      {flush ? children : <div className="panel-body">{children}</div>}
    </section>
  );
}
