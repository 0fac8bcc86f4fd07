import { HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useForm } from 'react-hook-form';
import type { Key } from '../../src/shared/i18n/index.ts';
import { CURRENCIES, type Currency } from '../../src/shared/purchases/money.ts';
import type { BudgetInput } from '../../src/shared/purchases/purchases.ts';
import { call, refresh, type AnswerOf } from '../kit/api.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { changesIn } from '../kit/form/changesIn.ts';
import { Field, TextField, useSubmit } from '../kit/form/Form.tsx';
import { useDraft, useKept, useTyped } from '../kit/form/useDraft.ts';
import { useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { STATE } from './PurchasesState.tsx';

type Shown = AnswerOf<'GET /api/budget'>['data'];

const CAPS = ['all', 'name', 'approval'] as const;
const LIMITS = ['names_day', 'names_project', 'pause_minutes'] as const;

type Scope = (typeof CAPS)[number];
type CapField = `${Scope}_${Currency}`;
type Values = Record<CapField | (typeof LIMITS)[number], string>;

/** The caps in every currency; those of one are shown at a time. */
const FIELDS = CURRENCIES.flatMap((currency) =>
  CAPS.map((scope) => ({ scope, currency, name: `${scope}_${currency}` as const })),
);

// The name of its draft.
const CURRENCY = 'budget currency';

const AMOUNT = /^\d{1,9}(?:\.\d{1,2})?$/;
const WHOLE = /^\d{1,4}$/;

/** Returns an amount as the API takes it: the screens write `10 000,00`. */
const decimal = (typed: string): string => typed.replaceAll(/\s/g, '').replace(',', '.');

const amountOf = ({ caps }: Shown, scope: string, currency: string): string =>
  caps.find((cap) => cap.scope === scope && cap.currency === currency)?.amount ?? '';

const valuesOf = (budget: Shown): Values => ({
  ...(Object.fromEntries(
    FIELDS.map(({ name, scope, currency }) => [name, amountOf(budget, scope, currency)]),
  ) as Record<CapField, string>),
  names_day: String(budget.names_day),
  names_project: String(budget.names_project),
  pause_minutes: String(budget.pause_minutes),
});

interface BudgetFormProps {
  budget: Shown;
  onClose: () => void;
}

/** Returns the fields with a fault, and why. */
const faultsOf = (values: Values): [keyof Values, Key][] => [
  ...FIELDS.filter(({ name }) => values[name] !== '' && !AMOUNT.test(decimal(values[name]))).map(
    ({ name }): [keyof Values, Key] => [name, 'budget.amount_invalid'],
  ),
  ...LIMITS.filter((name) => !WHOLE.test(values[name])).map((name): [keyof Values, Key] => [
    name,
    'purchases.number_invalid',
  ]),
];

/** Returns what was changed, as the API takes it. */
function bodyOf(changes: Partial<Values>): BudgetInput {
  const caps = FIELDS.flatMap(({ name, scope, currency }) => {
    const typed = changes[name];
    return typed === undefined ? [] : [{ scope, scope_id: 0, currency, amount: decimal(typed) || null }];
  });
  const limits = LIMITS.filter((name) => name in changes).map((name) => [name, Number(changes[name])]);
  return { ...(caps.length > 0 && { caps }), ...Object.fromEntries(limits) };
}

/** The form of the caps of all currencies, of which one is shown. */
function useBudgetForm({ budget, onClose }: BudgetFormProps) {
  const t = useT();
  const typedIn = useTyped(CURRENCY)?.['currency'] as Currency | undefined;
  const [currency, setCurrency] = useState<Currency>(typedIn ?? budget.caps[0]?.currency ?? 'RUB');
  const [before] = useState(() => valuesOf(budget));
  const form = useForm({ defaultValues: before });
  const { isDirty } = form.formState;
  useDraft(form, 'budget');
  useKept(CURRENCY, () => (isDirty ? { currency } : undefined));
  const save = async (values: Values): Promise<void> => {
    const faults = faultsOf(values);
    const hidden = FIELDS.find(({ name }) => name === faults[0]?.[0]);
    // A field has to be shown before it can have the focus.
    if (hidden) flushSync(() => setCurrency(hidden.currency));
    for (const [index, [name, key]] of faults.entries()) {
      form.setError(name, { message: t(key) }, { shouldFocus: index === 0 });
    }
    if (faults.length > 0) return;
    const { warnings } = await call('PUT /api/budget', { body: bodyOf(changesIn(before, values)) });
    await refresh('GET /api/budget', STATE);
    toast.success([t('purchases.saved'), ...warnings].join('. '));
    onClose();
  };
  return { form, currency, setCurrency, submit: useSubmit(form, save, t('purchases.save_failed')) };
}

/** The caps of a day, of one name and of what a second admin approves, in one currency, and the limits of what begins by itself. */
export function BudgetForm(props: BudgetFormProps) {
  const t = useT();
  const { form, currency, setCurrency, submit } = useBudgetForm(props);
  return (
    <FormDialog
      title={<T k="purchases.budget_title" />}
      action={<T k="purchases.save" />}
      submit={submit}
      dirty={form.formState.isDirty}
      onClose={props.onClose}
    >
      <p className="muted">
        <T k="purchases.budget_help" />
      </p>
      <Field label={<T k="purchases.currency" />}>
        {(control) => (
          <HTMLSelect
            fill
            {...control}
            value={currency}
            options={[...CURRENCIES]}
            onChange={(event) => setCurrency(event.currentTarget.value as Currency)}
          />
        )}
      </Field>
      {FIELDS.filter((field) => field.currency === currency).map(({ scope, name }) => (
        <TextField
          key={name}
          form={form}
          name={name}
          label={`${t(`purchases.scope_${scope}`)}, ${currency}`}
          inputMode="decimal"
          autoComplete="off"
        />
      ))}
      {LIMITS.map((name) => (
        <TextField
          key={name}
          form={form}
          name={name}
          label={<T k={`purchases.${name}`} />}
          inputMode="numeric"
          autoComplete="off"
        />
      ))}
    </FormDialog>
  );
}
