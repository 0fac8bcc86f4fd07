import { useEffect, useRef, useState } from 'react';
import type { ImportField, ImportOptions, ImportPreview, ImportResult } from '../../src/shared/portfolio/imports.ts';
import { call, messageOf, refresh } from '../kit/api.ts';
import { useKept, useTyped } from '../kit/form/useDraft.ts';
import { useT } from '../kit/language.ts';
import { refreshDomains } from '../operations/operations.ts';

export const STEPS = ['source', 'columns', 'check', 'done'] as const;
export type ImportStep = (typeof STEPS)[number];

/** The source of an import: a file, or pasted text. */
export interface ImportInput {
  file: File | null;
  text: string;
}

/** The chosen options. `columns` is set only once the detected columns were changed by hand. */
export type ImportSettings = Omit<ImportOptions, 'columns' | 'project_id'> & {
  columns?: (ImportField | null)[] | undefined;
};

const SETTINGS: ImportSettings = {
  mode: 'skip',
  create_projects: 'on',
  header: 'auto',
  type: 'main',
  transfer_type: 'auto',
  project: '',
};
const NOTHING: ImportInput = { file: null, text: '' };

const optionsOf = ({ columns, ...settings }: ImportSettings) => ({
  ...settings,
  ...(columns && { columns: columns.map((field) => field ?? '').join(',') }),
});

function bodyOf({ file, text }: ImportInput, settings: ImportSettings) {
  if (!file) return { text, ...optionsOf(settings) };
  const form = new FormData();
  for (const [name, value] of Object.entries(optionsOf(settings))) form.set(name, value);
  form.set('csv_file', file);
  return form;
}

export interface ImportState {
  step: ImportStep;
  input: ImportInput;
  settings: ImportSettings;
  preview: ImportPreview | undefined;
  /** Identifies the preview. */
  run: number;
  result: ImportResult | undefined;
  busy: boolean;
  /** The failure; the server's reason follows on the next line. */
  failure: string | undefined;
}

export interface Importing extends ImportState {
  setInput: (input: ImportInput) => void;
  goTo: (step: ImportStep) => void;
  /** Requests a preview with changed settings, then goes to a step. */
  check: (change?: Partial<ImportSettings>, step?: ImportStep) => Promise<void>;
  /** Changes settings; the preview is requested with the next step. */
  change: (change: Partial<ImportSettings>) => void;
  commit: () => Promise<void>;
  again: () => void;
}

const START: Omit<ImportState, 'run'> = {
  step: 'source',
  input: NOTHING,
  settings: SETTINGS,
  preview: undefined,
  result: undefined,
  busy: false,
  failure: undefined,
};

const DRAFT = 'import';

/** A pasted list as it is kept: its settings, and the step that was shown. */
interface Kept extends Pick<ImportState, 'settings' | 'step'> {
  text: string;
}

// A file can't be kept, and what is imported is no draft.
const keptOf = ({ input: { text }, settings, step }: ImportState) =>
  text === '' || step === 'done' ? undefined : { text, settings, step };

const inputOf = ({ text, settings }: Kept): Pick<ImportState, 'input' | 'settings'> => ({
  input: { file: null, text },
  settings,
});

/**
 * The state of an import across its steps. A failure keeps everything entered; a pasted list is at its step again after a reload, and where
 * the session has ended.
 */
export function useImport(): Importing {
  const t = useT();
  const before = useTyped(DRAFT) as Kept | undefined;
  const [state, setState] = useState<ImportState>({ ...START, run: 0, ...(before && inputOf(before)) });
  const latest = useRef(0);
  const isWriting = useRef(false);
  const set = (change: Partial<ImportState>): void => setState((before) => ({ ...before, ...change }));
  const { input, settings } = state;
  useKept(DRAFT, () => keptOf(state), 'page');

  /** Changes what a preview is made of, or what is shown: a preview that is still being read is no longer wanted. */
  const supersede = (change: Partial<ImportState>): void => {
    if (isWriting.current) return;
    latest.current += 1;
    set({ ...change, busy: false });
  };
  const check = async (change: Partial<ImportSettings> = {}, step?: ImportStep): Promise<void> => {
    if (isWriting.current) return;
    const next = { ...settings, ...change };
    latest.current += 1;
    const run = latest.current;
    set({ busy: true, failure: undefined, settings: next });
    try {
      const preview = await call('POST /api/imports/preview', { body: bodyOf(input, next) });
      // A later request supersedes this preview.
      if (run === latest.current) set({ preview, run, busy: false, ...(step && { step }) });
    } catch (error) {
      if (run !== latest.current) return;
      // The preview that is shown, and would be written, belongs to the former settings.
      set({ busy: false, settings, failure: `${t('import.read_failed')}\n${messageOf(error)}` });
    }
  };
  const commit = async (): Promise<void> => {
    isWriting.current = true;
    set({ busy: true, failure: undefined });
    try {
      const result = await call('POST /api/imports', { body: bodyOf(input, settings) });
      isWriting.current = false;
      set({ result, busy: false, step: 'done' });
      await Promise.all([refreshDomains(), refresh('GET /api/imports')]);
    } catch (error) {
      isWriting.current = false;
      set({ busy: false, failure: `${t('import.failed')}\n${messageOf(error)}` });
    }
  };
  useEffect(() => {
    if (before && before.step !== 'source') void check({}, before.step);
    // oxlint-disable-next-line react/exhaustive-deps -- once: the steps that follow are taken by hand
  }, [before]);
  return {
    ...state,
    setInput: (next) => supersede({ input: next, settings: SETTINGS, failure: undefined }),
    goTo: (step) => supersede({ step, failure: undefined }),
    check,
    change: (change) => supersede({ settings: { ...settings, ...change } }),
    commit,
    again: () => set(START),
  };
}
