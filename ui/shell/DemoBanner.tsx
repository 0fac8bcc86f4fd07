import type { ReactNode } from 'react';
import { T } from '../kit/T.tsx';

/** Says that the data is not real; it can't be closed. `children` stand at its end. */
export const DemoBanner = ({ children }: { children?: ReactNode }) => (
  <aside className="demo-strip">
    <T k="demo.strip" /> <T k="demo.reset" /> <code>seo-admin demo reset</code> {children}
  </aside>
);
