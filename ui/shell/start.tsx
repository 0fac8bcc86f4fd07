import '../kit/kit.css';
import './shell.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { keepPressesApart } from './ownPresses.ts';
import { App } from './App.tsx';

/** Draws the interface into an element; the texts of its first part have to be here. */
export function start(root: HTMLElement): void {
  keepPressesApart();
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
