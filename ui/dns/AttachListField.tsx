import { TextArea } from '@blueprintjs/core';
import type { AttachList } from './attachList.ts';
import { Field } from '../kit/form/Form.tsx';
import { useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';

// The first faulty lines are enough to find the mistakes.
const LINES_SHOWN = 10;

/** Counts the entries of the list: «42 → 41 корректных, 1 ошибка: строка 7». */
function ListCount({ list: { total, hosts, duplicates, faults } }: { list: AttachList }) {
  const t = useT();
  if (total === 0) return null;
  const lines = [...new Set(faults)];
  const named = lines.slice(0, LINES_SHOWN).join(', ') + (lines.length > LINES_SHOWN ? '…' : '');
  const parts = [
    t('page_rules.counted', { total, n: hosts.length }),
    ...(duplicates > 0 ? [t('page_rules.repeated', { n: duplicates })] : []),
    ...(faults.length > 0
      ? [t('page_rules.wrong', { n: faults.length, at: lines.length === 1 ? 1 : 2, lines: named })]
      : []),
  ];
  return <div className={faults.length > 0 ? 'bad' : ''}>{parts.join(', ')}</div>;
}

interface AttachListFieldProps {
  /** The name of the domain that the attached ones redirect to. */
  name: string;
  text: string;
  /** The parsed text. */
  list: AttachList;
  onChange: (text: string) => void;
}

/** The field for the domains to attach, and the count of what was typed. */
export function AttachListField({ name, text, list, onChange }: AttachListFieldProps) {
  return (
    <Field
      label={<T k="page_rules.domains" />}
      help={
        <>
          <T k="page_rules.domains_help" name={name} />
          <span aria-live="polite">
            <ListCount list={list} />
          </span>
        </>
      }
    >
      {(control) => (
        <TextArea
          fill
          rows={8}
          spellCheck={false}
          {...control}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
