import { HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { Key } from '../../src/shared/i18n/index.ts';
import { CURRENCIES, type Currency } from '../../src/shared/purchases/money.ts';
import { call, refresh, type AnswerOf } from '../kit/api.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { Field, TextField, useSubmit } from '../kit/form/Form.tsx';
import { useDraft, useKept, useTyped } from '../kit/form/useDraft.ts';
import { useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { STATE } from './PurchasesState.tsx';

type Shown = AnswerOf<'GET /api/budget'>['data'];

const CAPS = ['all', 'name', 'approval'] as const;
const LIMITS = ['names_day', 'names_project', 'pause_minutes'] as const;

type Values = Record<(typeof CAPS)[number] | (typeof LIMITS)[number], string>;

// The name of its draft.
const CURRENCY = 'budget currency';

const AMOUNT = /^\d{1,9}(?:\.\d{1,2})?$/;
const WHOLE = /^\d{1,4}$/;

/** Returns an amount as the API takes it: the screens write `10 000,00`. */
const decimal = (typed: string): string => typed.replaceAll(/\s/g, '').replace(',', '.');

const amountOf = ({ caps }: Shown, scope: string, currency: string): string =>
  caps.find((cap) => cap.scope === scope && cap.currency === currency)?.amount ?? '';

const valuesOf = (budget: Shown, currency: string): Values => ({
  all: amountOf(budget, 'all', currency),
  name: amountOf(budget, 'name', currency),
  approval: amountOf(budget, 'approval', currency),
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
  ...CAPS.filter((scope) => values[scope] !== '' && !AMOUNT.test(decimal(values[scope]))).map(
    (name): [keyof Values, Key] => [name, 'budget.amount_invalid'],
  ),
  ...LIMITS.filter((name) => !WHOLE.test(values[name])).map((name): [keyof Values, Key] => [
    name,
    'purchases.number_invalid',
  ]),
];

/** The form of one currency: its caps are saved, those of the others stay. */
function useBudgetForm({ budget, onClose }: BudgetFormProps) {
  const t = useT();
  const typedIn = useTyped(CURRENCY)?.['currency'] as Currency | undefined;
  const [currency, setCurrency] = useState<Currency>(typedIn ?? budget.caps[0]?.currency ?? 'RUB');
  const form = useForm({ defaultValues: valuesOf(budget, currency) });
  const { isDirty } = form.formState;
  useDraft(form, 'budget');
  // What was typed is about the sums in one currency.
  useKept(CURRENCY, () => (isDirty ? { currency } : undefined));
  const choose = (next: Currency): void => {
    const typed = form.getValues();
    setCurrency(next);
    form.reset(valuesOf(budget, next));
    // The limits are the same in every currency.
    for (const name of LIMITS) form.setValue(name, typed[name], { shouldDirty: true });
  };
  const save = async (values: Values): Promise<void> => {
    const faults = faultsOf(values);
    for (const [index, [name, key]] of faults.entries()) {
      form.setError(name, { message: t(key) }, { shouldFocus: index === 0 });
    }
    if (faults.length > 0) return;
    const caps = CAPS.map((scope) => ({ scope, scope_id: 0, currency, amount: decimal(values[scope]) || null }));
    const limits = Object.fromEntries(LIMITS.map((name) => [name, Number(values[name])]));
    const { warnings } = await call('PUT /api/budget', { body: { caps, ...limits } });
    await refresh('GET /api/budget', STATE);
    toast.success([t('purchases.saved'), ...warnings].join('. '));
    onClose();
  };
  return { form, currency, choose, submit: useSubmit(form, save, t('purchases.save_failed')) };
}

/** The caps of a day, of one name and of what a second admin approves, in one currency, and the limits of what begins by itself. */
export function BudgetForm(props: BudgetFormProps) {
  const t = useT();
  const { form, currency, choose, submit } = useBudgetForm(props);
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
            onChange={(event) => choose(event.currentTarget.value as Currency)}
          />
        )}
      </Field>
      {CAPS.map((scope) => (
        <TextField
          key={scope}
          form={form}
          name={scope}
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
