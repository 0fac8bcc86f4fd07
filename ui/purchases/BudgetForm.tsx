import { HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { CURRENCIES, type Currency } from '../../src/shared/purchases/money.ts';
import { call, refresh, type AnswerOf } from '../kit/api.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { Field, TextField, useSubmit } from '../kit/form/Form.tsx';
import { useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';

type Shown = AnswerOf<'GET /api/budget'>['data'];

const CAPS = ['all', 'name', 'approval'] as const;
const LIMITS = ['names_day', 'names_project', 'pause_minutes'] as const;

type Values = Record<(typeof CAPS)[number] | (typeof LIMITS)[number], string>;

const AMOUNT = /^\d{1,9}(?:\.\d{1,2})?$/;
const WHOLE = /^\d{1,4}$/;

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

/** The caps of a day, of one name and of what a second admin approves, in one currency, and the limits of what begins by itself. */
export function BudgetForm({ budget, onClose }: BudgetFormProps) {
  const t = useT();
  const [currency, setCurrency] = useState<Currency>(budget.caps[0]?.currency ?? 'RUB');
  const form = useForm({ defaultValues: valuesOf(budget, currency) });
  const choose = (next: Currency): void => {
    setCurrency(next);
    form.reset(valuesOf(budget, next));
  };
  // Marks the faulty fields; the first of them gets the focus.
  const isFine = (values: Values): boolean => {
    const faults = [
      ...CAPS.filter((scope) => values[scope] !== '' && !AMOUNT.test(values[scope])).map(
        (name) => [name, 'budget.amount_invalid'] as const,
      ),
      ...LIMITS.filter((name) => !WHOLE.test(values[name])).map((name) => [name, 'purchases.number_invalid'] as const),
    ];
    for (const [index, [name, key]] of faults.entries()) {
      form.setError(name, { message: t(key) }, { shouldFocus: index === 0 });
    }
    return faults.length === 0;
  };
  const submit = useSubmit(
    form,
    async (values) => {
      if (!isFine(values)) return;
      const caps = CAPS.map((scope) => ({ scope, scope_id: 0, currency, amount: values[scope] || null }));
      const limits = Object.fromEntries(LIMITS.map((name) => [name, Number(values[name])]));
      const { warnings } = await call('PUT /api/budget', { body: { caps, ...limits } });
      await refresh('GET /api/budget');
      toast.success([t('purchases.saved'), ...warnings].join('. '));
      onClose();
    },
    t('purchases.save_failed'),
  );
  return (
    <FormDialog
      title={<T k="purchases.budget_title" />}
      action={<T k="purchases.save" />}
      submit={submit}
      dirty={form.formState.isDirty}
      onClose={onClose}
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
