// Compiles rows.ts to WebAssembly, and writes it as text: `npm run wasm`. The output is part of the source, so that neither a
// build nor most tests need the compiler.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const target = join(import.meta.dirname, '../rows-wasm.ts');
// By its path: the types of the package's module change those of JavaScript's own.
const COMPILER = join(import.meta.dirname, '../../../../node_modules/assemblyscript/bin/asc.js');
// 133 pages of memory: all that stands before the end of the places. The runtime named `stub` frees no memory: none is allocated.
const FLAGS = [
  '--enable',
  'simd',
  '--runtime',
  'stub',
  '-O3',
  '--noAssert',
  '--initialMemory',
  '133',
  '--maximumMemory',
  '133',
];

/** Returns the text of `rows-wasm.ts`. Throws an error with the compiler's messages. */
export function compileRows(): string {
  const dir = mkdtempSync(join(tmpdir(), 'seo-admin-wasm-'));
  try {
    const binary = join(dir, 'rows.wasm');
    execFileSync(process.execPath, [COMPILER, 'rows.ts', '--outFile', binary, ...FLAGS], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const code = readFileSync(binary, 'base64');
    return `// Written by \`npm run wasm\` from assembly/rows.ts.\n/** The code that reads plain rows, in base64. */\nexport const ROWS_WASM =\n  '${code}';\n`;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

if (process.argv[1] === import.meta.filename) writeFileSync(target, compileRows());
