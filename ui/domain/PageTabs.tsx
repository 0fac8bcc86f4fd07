import type { Page } from './DomainPage.tsx';
import { History } from './History.tsx';

/** What a page shows of its domain. */
export const PageTabs = ({ page }: { page: Page }) => <History page={page} />;
