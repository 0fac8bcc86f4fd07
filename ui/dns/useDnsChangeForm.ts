import { useRef, useState, type RefObject } from 'react';
import { ApiError, messageOf } from '../kit/api.ts';
import { useKept, useTyped } from '../kit/form/useDraft.ts';
import { useT } from '../kit/language.ts';
import {
  bodyOf,
  FIELD_OF,
  faultsOf,
  NO_VALUES,
  type DnsChangeBody,
  type DnsChangeField,
  type DnsChangeValues,
} from './dnsChange.ts';
import { useDnsChoices } from './DnsChangeFields.tsx';

/** The fault of each wrong field, as text. */
type Faulty = ReadonlyMap<DnsChangeField, string>;

const NONE: Faulty = new Map();

/** Returns the server's message, or this screen's own sentence if there is none. */
function useReason(): (error: unknown) => string {
  const t = useT();
  return (error) => {
    const reason = messageOf(error);
    const isServers = error instanceof ApiError && error.status > 0 && reason !== t('ui.failed');
    return isServers
      ? reason
      : [t('dns_change.failed'), error instanceof ApiError && reason].filter(Boolean).join('\n');
  };
}

export interface DnsChangeForm {
  /** The domain from the URL; empty if there is none. */
  locked: string;
  /** The values as typed. */
  typed: DnsChangeValues;
  /** The values as they are sent. */
  values: DnsChangeValues;
  faulty: Faulty;
  failure: string | undefined;
  elements: RefObject<Partial<Record<DnsChangeField, HTMLElement | null>>>;
  reasonOf: (error: unknown) => string;
  change: (change: Partial<DnsChangeValues>) => void;
  /** Returns the body to send; undefined if there are faults, of which the first is then focused. */
  check: () => DnsChangeBody | undefined;
  /** Shows why the server has refused the values, and marks the fields that it names. */
  refuse: (error: unknown) => void;
  /** Empties the domain and focuses it. */
  nextDomain: () => void;
}

const DRAFT = 'dns-change';

/** Holds the values of a DNS change, and their faults. They outlive the session and the page until the change has started. */
export function useDnsChangeForm(locked: string, hasStarted: boolean): DnsChangeForm {
  const t = useT();
  const reasonOf = useReason();
  const { servers } = useDnsChoices();
  const before = useTyped(DRAFT);
  const [typed, setTyped] = useState<DnsChangeValues>(before ? { ...NO_VALUES, ...before } : NO_VALUES);
  useKept(DRAFT, () => (hasStarted || typed === NO_VALUES ? undefined : { ...typed }), 'page');
  const [faulty, setFaulty] = useState(NONE);
  const [failure, setFailure] = useState<string>();
  const elements = useRef<Partial<Record<DnsChangeField, HTMLElement | null>>>({});
  const values = { ...typed, domain: locked || typed.domain.trim() };
  // An empty field is only marked: the sentence above the fields names the first of them.
  const mark = (faults: readonly (readonly [DnsChangeField, string])[]): void => {
    const texts = faults.map(
      ([field, text]) => [field, values[field] === '' ? t('dns_change.not_filled') : text] as const,
    );
    setFaulty(new Map(texts.toReversed()));
    const [first] = faults;
    if (first) elements.current[first[0]]?.focus();
  };
  return {
    locked,
    typed,
    values,
    faulty,
    failure,
    elements,
    reasonOf,
    change: (change) => {
      setTyped({ ...typed, ...change });
      setFaulty(NONE);
      setFailure(undefined);
    },
    check: () => {
      const known = servers.data?.data ?? [];
      const faults = faultsOf(values, known);
      mark(faults.map(({ field, text }) => [field, t(text)]));
      setFailure(faults[0] && t(faults[0].text));
      return faults.length > 0 ? undefined : bodyOf(values, known);
    },
    refuse: (error) => {
      setFailure(reasonOf(error));
      if (!(error instanceof ApiError)) return;
      mark(
        Object.entries(error.fields).flatMap(([name, text]) =>
          FIELD_OF[name] ? [[FIELD_OF[name], text] as const] : [],
        ),
      );
    },
    nextDomain: () => {
      setTyped({ ...typed, domain: '' });
      // A locked field is replaced by an input at the next render.
      requestAnimationFrame(() => elements.current.domain?.focus());
    },
  };
}
