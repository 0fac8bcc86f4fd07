import '../kit/kit.css';
import '../shell/shell.css';
import { createRoot } from 'react-dom/client';
import { SignIn } from './SignIn.tsx';

/** Draws a page that is seen before the sign-in into an element; its texts have to be here. */
export const start = (root: HTMLElement, page: 'login' | 'setup'): void =>
  createRoot(root).render(<SignIn page={page} />);
