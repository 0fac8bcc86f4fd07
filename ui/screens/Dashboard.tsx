import { DomainList } from '../components/DomainList.tsx';
import { Screen } from '../components/Screen.tsx';

/** The morning screen: what is blocked, what does not answer, what expires. */
export function Dashboard() {
  return (
    <Screen title="nav.main">
      <DomainList title="dashboard.list_blocked" status="blocked" open />
      <DomainList title="dashboard.list_broken" status="broken" open />
      <DomainList title="dashboard.list_expired" status="expired" open />
      <DomainList title="dashboard.list_all" status="all" open={false} />
    </Screen>
  );
}
