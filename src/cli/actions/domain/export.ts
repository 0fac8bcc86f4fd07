import { exportDomains } from '../../../services/portfolio/domain-export.ts';
import type { Context } from '../../context.ts';
import type { Result } from '../../output.ts';
import { selectedDomains, selectionOf } from '../../selected.ts';
import type { SelectionFlags } from '../../selection.ts';
import { COLUMNS } from './columns.ts';

interface ExportFlags extends SelectionFlags {
  delimiter: 'comma' | 'semicolon';
  bom?: boolean;
}

/** `domain export`: CSV that `domain import` and spreadsheets read, or the rows in another format. */
export async function exportPortfolio(context: Context, flags: ExportFlags): Promise<Result> {
  const { actor } = await context.open();
  const selection = await selectionOf(actor, flags);
  if (context.asked.format === 'human' || context.asked.format === 'csv') {
    const style = { delimiter: flags.delimiter, bom: flags.bom ? 'on' : 'off' } as const;
    return { csv: await exportDomains(actor, selection, style) };
  }
  const items = await selectedDomains(actor, selection);
  return { items, columns: COLUMNS, summary: { total: items.length } };
}
