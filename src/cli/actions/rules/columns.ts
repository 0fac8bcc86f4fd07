import type { PageRuleView } from '../../../shared/dns/rules.ts';
import { columnsOf } from '../../output.ts';
import { textOf } from '../../plan-text.ts';

/** Sums an action up: the redirect's target, or the setting and its value. */
function actionText({ id, value }: PageRuleView['actions'][number]): string {
  if (id === 'forwarding_url' && typeof value === 'object' && value !== null) {
    const { status_code, url } = value as { status_code?: unknown; url?: unknown };
    return `${textOf(status_code)} → ${textOf(url)}`;
  }
  return `${id} ${textOf(value ?? '')}`.trim();
}

/** The fields of a rule. */
export const COLUMNS = columnsOf<PageRuleView>({
  id: true,
  kind: true,
  status: true,
  targets: {
    title: 'target',
    show: (value) => (value as PageRuleView['targets']).map(({ constraint }) => constraint.value).join(', '),
  },
  actions: {
    title: 'action',
    show: (value) => (value as PageRuleView['actions']).map(actionText).join(', '),
  },
  priority: false,
});
