import '../kit/kit.css';
import './shell.css';
import { BlueprintProvider } from '@blueprintjs/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <BlueprintProvider>
        <App />
      </BlueprintProvider>
    </StrictMode>,
  );
}
