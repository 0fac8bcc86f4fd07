import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { BrowserRouter, Route, Routes } from 'react-router-dom';
import { queries } from './api.ts';
import { DemoStrip } from './components/DemoStrip.tsx';
import { ErrorBoundary } from './components/ErrorBoundary.tsx';
import { Shell } from './components/Shell.tsx';
import { Toasts } from './components/toasts.tsx';
import { ROUTES } from './routes.ts';
import { NotFound } from './screens/NotFound.tsx';

const Login = lazy(async () => ({ default: (await import('./screens/Login.tsx')).Login }));
const Setup = lazy(async () => ({ default: (await import('./screens/Setup.tsx')).Setup }));

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <DemoStrip />
      <BrowserRouter>
        <ErrorBoundary>
          <Suspense fallback={null}>
            <Routes>
              <Route path="/login" element={<Login />} />
              <Route path="/setup" element={<Setup />} />
              <Route element={<Shell />}>
                {ROUTES.map(({ path, Screen }) => (
                  <Route key={path} path={path} element={<Screen />} />
                ))}
                <Route path="*" element={<NotFound />} />
              </Route>
            </Routes>
          </Suspense>
        </ErrorBoundary>
      </BrowserRouter>
      <Toasts />
    </QueryClientProvider>
  );
}
