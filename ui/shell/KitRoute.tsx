import { useCall } from '../kit/api.ts';
import { NotFound } from './NotFound.tsx';
import { later } from '../kit/Loading.tsx';

const KitPage = later(async () => (await import('../kit/page/KitPage.tsx')).KitPage);

/** The page of the kit, in development and in the demo; elsewhere there is no such page. */
export function KitRoute() {
  const { data, isPending } = useCall('GET /api/health', {}, { enabled: !import.meta.env.DEV });
  if (import.meta.env.DEV) return <KitPage />;
  if (isPending) return null;
  return data?.demo ? <KitPage /> : <NotFound />;
}
