import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { queries } from './api.ts';
import { ErrorBoundary } from './components/ErrorBoundary.tsx';
import { Shell } from './components/Shell.tsx';
import { Toasts } from './components/toasts.tsx';
import { ROUTES } from './routes.ts';
import { NotFound } from './screens/NotFound.tsx';

const Login = lazy(async () => ({ default: (await import('./screens/Login.tsx')).Login }));
const Setup = lazy(async () => ({ default: (await import('./screens/Setup.tsx')).Setup }));

const router = createBrowserRouter([
  { path: '/login', element: <Login /> },
  { path: '/setup', element: <Setup /> },
  {
    element: <Shell />,
    children: [
      ...ROUTES.map(({ path, Screen }) => ({ path, element: <Screen /> })),
      { path: '*', element: <NotFound /> },
    ],
  },
]);

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <ErrorBoundary>
        <Suspense fallback={null}>
          <RouterProvider router={router} />
        </Suspense>
      </ErrorBoundary>
      <Toasts />
    </QueryClientProvider>
  );
}
