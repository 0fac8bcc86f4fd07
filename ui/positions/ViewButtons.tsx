import { Button } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { T } from '../kit/T.tsx';

type View = 'chart' | 'table' | 'domains' | 'results' | 'visibility' | 'average';

interface ViewButtonsProps<V extends View> {
  views: readonly V[];
  chosen: V;
  onChoose: (view: V) => void;
  /** Buttons that stand after them. */
  children?: ReactNode;
}

/** Chooses what a panel shows, such as its chart or its table. */
export const ViewButtons = <V extends View>({ views, chosen, onChoose, children }: ViewButtonsProps<V>) => (
  <span className="position-acts">
    {views.map((name) => (
      <Button
        key={name}
        size="small"
        variant="minimal"
        active={chosen === name}
        aria-pressed={chosen === name}
        text={<T k={`positions.view_${name}`} />}
        onClick={() => onChoose(name)}
      />
    ))}
    {children}
  </span>
);
