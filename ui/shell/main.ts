import { languageNow } from '../kit/reader/reader.ts';
import { loadTexts } from '../kit/reader/texts.ts';

// Loads the texts and the code of the page in parallel.
async function begin(root: HTMLElement): Promise<void> {
  const texts = loadTexts(languageNow(), 'first');
  const { start } = await import('./start.tsx');
  await texts;
  start(root);
}

const root = document.getElementById('root');
if (root) void begin(root);
