import { lazy, Suspense } from 'react';
import { ErrorBoundary } from '../kit/ErrorBoundary.tsx';
import { Loading } from '../kit/Loading.tsx';
import { DemoBanner } from '../shell/DemoBanner.tsx';
import { servedByDemo } from '../shell/servedByDemo.ts';
import { Login } from './Login.tsx';
import { useHealth } from './useHealth.ts';

const Setup = lazy(async () => ({ default: (await import('./Setup.tsx')).Setup }));

/** The pages before the sign-in: the sign-in itself, or the setup of the first administrator. */
export function SignIn({ page }: { page: 'login' | 'setup' }) {
  const health = useHealth();
  return (
    <>
      {(health?.demo ?? servedByDemo()) && <DemoBanner />}
      <ErrorBoundary>
        <Suspense fallback={<Loading />}>{page === 'setup' ? <Setup /> : <Login health={health} />}</Suspense>
      </ErrorBoundary>
    </>
  );
}
