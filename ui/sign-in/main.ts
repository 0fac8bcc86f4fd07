import { languageNow } from '../kit/reader/reader.ts';
import { loadTexts } from '../kit/reader/texts.ts';
import { nextPath, sessionNow } from '../kit/session.ts';
import { start } from './start.tsx';

const { pathname, search } = window.location;
const page = pathname.toLowerCase().startsWith('/setup') ? 'setup' : 'login';
const root = document.getElementById('root');

// A signed-in user is sent on before the sign-in is drawn: it would flash. The setup page tells itself whether it is still open.
if (page === 'login' && sessionNow().token !== '') window.location.replace(nextPath(search));
else if (root) void loadTexts(languageNow(), 'first').then(() => start(root, page));
