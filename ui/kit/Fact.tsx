import type { ReactNode } from 'react';
import type { Key } from '../../src/shared/i18n/index.ts';
import { NoData } from './Status.tsx';
import { T } from './T.tsx';

/** A name and its value in a list of descriptions (`dl`); without a value it says that there is none. */
export const Fact = ({
  title,
  children,
  verbatim = false,
}: {
  title: Key;
  children: ReactNode;
  verbatim?: boolean;
}) => (
  <div>
    <dt>
      <T k={title} />
    </dt>
    <dd translate={verbatim ? 'no' : undefined}>{children ?? <NoData />}</dd>
  </div>
);
