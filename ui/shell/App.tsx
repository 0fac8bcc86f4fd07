import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { BrowserRouter, Route, Routes } from 'react-router-dom';
import { queries } from '../kit/api.ts';
import { DemoStrip } from './DemoStrip.tsx';
import { ErrorBoundary } from '../kit/ErrorBoundary.tsx';
import { KitRoute } from './KitRoute.tsx';
import { Shell } from './Shell.tsx';
import { Tips } from '../kit/float/Tips.tsx';
import { Toasts } from '../kit/toasts.tsx';
import { useSession } from '../kit/session.ts';
import { PAGES, ROUTES } from './routes.ts';
import { NotFound } from './NotFound.tsx';
import { Loading } from '../kit/Loading.tsx';

function Screens() {
  const { isLeaving } = useSession();
  if (isLeaving) return <Loading />;
  return (
    <Routes>
      <Route element={<Shell />}>
        {[...ROUTES, ...PAGES].map(({ path, Screen }) => (
          <Route key={path} path={path} element={<Screen />} />
        ))}
        <Route path="/kit" element={<KitRoute />} />
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  );
}

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <DemoStrip />
      {/* In a transition a press would be answered by the page of the address before. */}
      <BrowserRouter useTransitions={false}>
        <ErrorBoundary isPage>
          <Suspense fallback={<Loading />}>
            <Screens />
          </Suspense>
        </ErrorBoundary>
      </BrowserRouter>
      <Toasts />
      <Tips />
    </QueryClientProvider>
  );
}
