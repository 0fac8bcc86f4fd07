import { languageNow } from '../kit/reader/reader.ts';
import { loadTexts } from '../kit/reader/texts.ts';

// What the page will need is asked for at once, beside each other.
async function begin(root: HTMLElement): Promise<void> {
  const texts = loadTexts(languageNow(), 'first');
  const { start } = await import('./start.tsx');
  await texts;
  start(root);
}

const root = document.getElementById('root');
if (root) void begin(root);
