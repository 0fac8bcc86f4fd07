import type { ReactNode } from 'react';
import type { Key } from '../../../src/shared/i18n/index.ts';
import { useT } from '../language.ts';
import { T } from '../T.tsx';
import { DataTable, type DataTableProps } from './DataTable.tsx';

interface ListSectionProps<Row extends { id: number }> extends Omit<DataTableProps<Row>, 'label'> {
  /** The heading, and the name of the list for a screen reader. */
  title: Key;
  /** Below another heading of the screen it is an `h3`. */
  heading?: 'h2' | 'h3';
  className?: string;
  /** Content between heading and list, such as filters. */
  children?: ReactNode;
}

/** A list under its own heading: a part of a screen that has more than this list. */
export function ListSection<Row extends { id: number }>({
  title,
  heading: Heading = 'h2',
  className,
  children,
  ...table
}: ListSectionProps<Row>) {
  const t = useT();
  return (
    <section className={className}>
      <Heading className="bp6-heading section-title">
        <T k={title} />
      </Heading>
      {children}
      <DataTable label={t(title)} {...table} />
    </section>
  );
}
