// Builds every mutant of a file at once: each change is behind a switch on an environment variable, so that a run picks
// one.
import { parseAst } from 'vite';

/** The variable that picks a mutant by its number; 0 is the unchanged file. */
export const PICK = 'TEST_MUTANT';

/** One change at one place. */
export interface Mutant {
  id: number;
  line: number;
  /** The source line, trimmed. */
  source: string;
  /** The change as `from → to`, on one line. */
  change: string;
}

/** A change that is known to have no effect. */
export interface Equivalent {
  /** The changed source line, trimmed. */
  source: string;
  /** The change as run.ts prints it. */
  change: string;
  /** Which of several equal changes of a module, counted from 1. */
  nth?: number;
  /** Why it has no observable effect. */
  why: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}
interface Change {
  node: Node;
  to: string;
  /** A statement is removed, an expression is replaced. */
  isStatement: boolean;
}
interface Place {
  node: Node;
  changes: Change[];
  inner: Place[];
}

const OPERATORS: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
};
const METHODS: Record<string, string> = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  min: 'max',
  max: 'min',
};

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';
const isText = ({ type, value }: Node): boolean =>
  type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string');

/** Returns the changes of one node; `text` returns the source of a node. */
function changesOf(node: Node, text: (node: Node) => string): Change[] {
  const expression = (to: string): Change => ({ node, to, isStatement: false });
  const left = node['left'] as Node;
  const right = node['right'] as Node;
  const operator = String(node['operator']);
  if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
    const other = OPERATORS[operator];
    if (other === undefined || (operator === '+' && (isText(left) || isText(right)))) return [];
    return [expression(`(${text(left)}) ${other} (${text(right)})`)];
  }
  if (node.type === 'UnaryExpression' && operator === '!') return [expression(text(node['argument'] as Node))];
  if (node.type === 'Literal' && typeof node['value'] === 'boolean') return [expression(String(!node['value']))];
  if (node.type === 'Literal' && typeof node['value'] === 'number') return [expression(`(${text(node)} + 1)`)];
  if (node.type === 'CallExpression') {
    const { type, property, object } = node['callee'] as Node;
    const name = String((property as Node | undefined)?.['name']);
    // Own keys only: not `toString` and others that every object has.
    const other = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (type !== 'MemberExpression' || other === undefined) return [];
    const called = text(node).slice((property as Node).end - node.start);
    return [expression(`${text(object as Node)}.${other}${called}`)];
  }
  const isCall = ['CallExpression', 'AwaitExpression'].includes((node['expression'] as Node | undefined)?.type ?? '');
  if (node.type === 'ThrowStatement' || (node.type === 'ExpressionStatement' && isCall)) {
    return [{ node, to: '', isStatement: true }];
  }
  return [];
}

const TYPE_WRAPPERS = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);

/** Returns the places of a tree that may be changed; types, property names and optional chains are skipped. */
function placesOf(node: Node, text: (node: Node) => string): Place[] {
  if (node.type.startsWith('TS') && !TYPE_WRAPPERS.has(node.type)) return [];
  if (node.type === 'ImportDeclaration' || node.type === 'ChainExpression') return [];
  const inner = Object.entries(node).flatMap(([field, value]) => {
    if (field === 'key' && node['computed'] !== true) return [];
    const children = (Array.isArray(value) ? value : [value]).filter(isNode);
    return children.flatMap((child) => placesOf(child, text));
  });
  const changes = changesOf(node, text);
  return changes.length > 0 ? [{ node, changes, inner }] : inner;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 90);

/** Returns the source with every mutant in it, and their list. Numbers follow the order of the text, from 1. */
export function withMutants(source: string): { code: string; mutants: Mutant[] } {
  const text = ({ start, end }: { start: number; end: number }): string => source.slice(start, end);
  const lines = source.split('\n');
  const mutants: Mutant[] = [];
  const note = ({ node, to, isStatement }: Change): number => {
    const id = mutants.length + 1;
    const line = source.slice(0, node.start).split('\n').length;
    const change = `${oneLine(text(node))} → ${isStatement ? '(left out)' : oneLine(to)}`;
    mutants.push({ id, line, source: lines[line - 1]!.trim(), change });
    return id;
  };
  const emit = (start: number, end: number, places: Place[]): string => {
    let code = '';
    let at = start;
    for (const { node, changes, inner } of places.toSorted((a, b) => a.node.start - b.node.start)) {
      code += source.slice(at, node.start);
      const switches = changes.map((change) => ({ change, id: note(change) }));
      let original = emit(node.start, node.end, inner);
      for (const { change, id } of switches) {
        original = change.isStatement
          ? // In its own braces: a following `else` would otherwise belong to the inserted `if`.
            `{ if (__mutant !== ${id}) { ${original} } }`
          : `(__mutant === ${id} ? (${change.to}) : (${original}))`;
      }
      code += original;
      at = node.end;
    }
    return code + source.slice(at, end);
  };
  const tree = parseAst(source, { lang: 'ts' }) as unknown as Node;
  const body = emit(0, source.length, placesOf(tree, text));
  return { code: `const __mutant = Number(process.env['${PICK}'] ?? 0);\n${body}`, mutants };
}
