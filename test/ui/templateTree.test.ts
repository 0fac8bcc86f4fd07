import { expect, it } from 'vitest';
import { nameOf, treeOf, type Folder } from '../../ui/sites/templateTree.ts';

const entry = (path: string) => ({ path, size: 1, text: true, placeholders: [] });

/** Returns a tree as lines, indented by level. */
const lines = (folder: Folder, level = ''): string[] => [
  ...folder.folders.flatMap((inner) => [`${level}${inner.name}/`, ...lines(inner, `${level} `)]),
  ...folder.files.map((file) => level + nameOf(file)),
];

it('treeOf returns files by path as a tree, folders first', () => {
  const paths = ['b/c/d.css', 'index.html', 'b/a.css', 'a/x.js', 'b/c/e.css'];
  expect(lines(treeOf(paths.map(entry)))).toEqual([
    'a/',
    ' x.js',
    'b/',
    ' c/',
    '  d.css',
    '  e.css',
    ' a.css',
    'index.html',
  ]);
  expect(lines(treeOf([]))).toEqual([]);
});
