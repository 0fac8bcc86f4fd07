import { HTMLSelect } from '@blueprintjs/core';
import { useRef, useState, type FormEvent } from 'react';
import type { Key } from '../../../src/shared/i18n/index.ts';
import type { BulkPlan, LeftAsIs } from '../../../src/shared/system/bulk.ts';
import { DomainCombobox } from '../../domains/DomainCombobox.tsx';
import { ApiError, call, messageOf, refresh, useCall } from '../../kit/api.ts';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { CountField, isTyped } from '../../kit/form/CountField.tsx';
import { Field } from '../../kit/form/Form.tsx';
import { useFormats, useT } from '../../kit/language.ts';
import { T } from '../../kit/T.tsx';
import { ManyPlan } from './ManyPlan.tsx';
import { usePlan, type ChosenBody, type ManyWork } from './usePlan.ts';

/** Work on many domains that reaches outside. */
export type WorkName = ManyWork['kind'];

const WORDS: Record<WorkName, { title: Key; note: Key; action: Key }> = {
  check: { title: 'bulk.check_title', note: 'bulk.check_note', action: 'bulk.check_n' },
  dns: { title: 'bulk.dns_title', note: 'bulk.dns_note', action: 'bulk.dns_n' },
  under_attack: { title: 'bulk.attack_title', note: 'bulk.attack_note', action: 'bulk.switch_n' },
  tls: { title: 'bulk.tls_title', note: 'bulk.tls_note', action: 'bulk.switch_n' },
  deploy: { title: 'bulk.deploy_title', note: 'bulk.deploy_note', action: 'bulk.deploy_n' },
  transfer: { title: 'bulk.transfer_title', note: 'bulk.transfer_note', action: 'bulk.transfer_n' },
  attach: { title: 'bulk.attach_title', note: 'bulk.attach_note', action: 'bulk.attach_n' },
};

/** The two ways of what is switched. */
const WAYS: Partial<Record<WorkName, readonly { value: string; text: Key }[]>> = {
  under_attack: [
    { value: 'enable', text: 'bulk.attack_on' },
    { value: 'disable', text: 'bulk.attack_off' },
  ],
  tls: [
    { value: 'on', text: 'bulk.turn_on' },
    { value: 'off', text: 'bulk.turn_off' },
  ],
};

function workOf(kind: WorkName, way: string, to: string): ManyWork | undefined {
  if (kind === 'under_attack') return { kind, action: way === 'disable' ? 'disable' : 'enable' };
  if (kind === 'tls') return { kind, state: way === 'off' ? 'off' : 'on' };
  if (kind === 'attach') return to === '' ? undefined : { kind, to };
  return { kind };
}

interface TargetProps {
  /** The text as typed. */
  value: string;
  onChange: (typed: string) => void;
}

/** The domain that others are to lead to. */
function TargetField({ value, onChange }: TargetProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <DomainCombobox
      label={<T k="bulk.attach_to" />}
      value={value}
      onChange={onChange}
      help={<T k="bulk.attach_help" />}
      inputRef={field}
    />
  );
}

interface WayProps {
  ways: readonly { value: string; text: Key }[];
  value: string;
  disabled: boolean;
  onChange: (way: string) => void;
}

function WayField({ ways, value, disabled, onChange }: WayProps) {
  const t = useT();
  return (
    <Field label={<T k="bulk.way" />}>
      {(control) => (
        <HTMLSelect
          {...control}
          fill
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(event.currentTarget.value)}
          options={ways.map((way) => ({ value: way.value, label: t(way.text) }))}
        />
      )}
    </Field>
  );
}

/** Returns the domain that is meant by a typed name; '' while there is none. */
function useMeant(typed: string): string {
  const search = typed.trim().toLowerCase();
  const query = { limit: 20, sort: 'domain_name', search };
  const { data } = useCall('GET /api/domains', { query }, { enabled: search.includes('.'), keep: true });
  return data?.data.find((one) => one.domain_name === search || one.unicode_name === search)?.domain_name ?? '';
}

export interface WorkDone {
  undo: null;
  operations: true;
  left: LeftAsIs<string>[];
}

interface WorkProps {
  kind: WorkName;
  chosen: ChosenBody;
  count: number;
  onDone: (message: string, done: WorkDone) => void;
  onClose: () => void;
}

type StartOptions = Pick<WorkProps, 'chosen' | 'onDone'> & { plan: ReturnType<typeof usePlan> };

/** Begins the work as it was planned. Where the server refuses, what the work reaches is asked anew. */
function useStart({ chosen, onDone, plan }: StartOptions) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const start = async (wanted: ManyWork, { expected }: BulkPlan): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const body = { selection: chosen, work: wanted, expected };
      const { message, data } = await call('POST /api/domains_bulk/work', { body });
      void refresh('GET /api/operations');
      onDone(message, { undo: null, operations: true, left: data.left });
    } catch (error) {
      setFailure(`${t('bulk.failed')}\n${messageOf(error)}`);
      if (error instanceof ApiError) await plan.refetch();
      setBusy(false);
    }
  };
  return { busy, failure, start };
}

/** Begins work outside on many domains, after it was shown which of them it reaches. Its results stand on `/operations`. */
export function WorkMany({ kind, chosen, count, onDone, onClose }: WorkProps) {
  const { number } = useFormats();
  const ways = WAYS[kind];
  const [way, setWay] = useState(ways?.[0]?.value ?? '');
  const [target, setTarget] = useState('');
  const to = useMeant(target);
  const [typed, setTyped] = useState('');
  const [isAsked, setAsked] = useState(false);
  const { title, note, action } = WORDS[kind];
  const work = workOf(kind, way, to);
  const plan = usePlan(
    'POST /api/domains_bulk/work/plan',
    { selection: chosen, ...(work && { work }) },
    work !== undefined,
  );
  const reached = plan.isFetching ? 0 : (plan.data?.changes ?? 0);
  const { busy, failure, start } = useStart({ chosen, onDone, plan });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setAsked(true);
    if (busy || !work || !plan.data || reached === 0 || !isTyped(typed, needed)) return;
    void start(work, plan.data);
  };
  // A check changes nothing outside.
  const needed = kind === 'check' ? 0 : reached;
  return (
    <FormDialog
      title={<T k={title} n={count} count={number(count)} />}
      action={<T k={action} n={number(reached)} />}
      intent={kind === 'under_attack' || kind === 'tls' ? 'warning' : 'primary'}
      disabled={reached === 0}
      submit={{ onSubmit, busy, failure }}
      onClose={onClose}
    >
      <p>
        <T k={note} />
      </p>
      {ways && <WayField ways={ways} value={way} disabled={busy} onChange={setWay} />}
      {kind === 'attach' && <TargetField value={target} onChange={setTarget} />}
      {work && <ManyPlan plan={plan} words="bulk.plan_reached" />}
      {!isTyped('', needed) && <CountField count={needed} value={typed} isAsked={isAsked} onChange={setTyped} />}
    </FormDialog>
  );
}
