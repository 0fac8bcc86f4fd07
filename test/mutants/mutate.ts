// Every mutant of a file at once: each change stands behind a switch on the environment, so that a run picks one.
import { parseAst } from 'vite';

/** The variable that picks a mutant by its number; 0 is the file as it was written. */
export const PICK = 'TEST_MUTANT';

/** One change of one place. */
export interface Mutant {
  id: number;
  line: number;
  /** The line as it was written, without what is before and after it. */
  source: string;
  /** The change as `from → to`, on one line. */
  change: string;
}

/** One change that is known to change nothing. */
export interface Equivalent {
  /** The line of the source that is changed, without what is before and after it. */
  source: string;
  /** As run.ts prints it. */
  change: string;
  /** Of several changes of a module that read the same, which; counted from 1. */
  nth?: number;
  /** Why nobody could see it. */
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
  /** A statement is left out, an expression is replaced. */
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

/** The changes of one node; `text` gives the source of a node. */
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
    // Not `toString` and others that every object has.
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

/** Everything in a tree that may be changed: types, names of properties and optional chains are left alone. */
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

/** The source with every mutant in it, and their list. Numbers are given in the order of the text, from 1. */
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
          ? // In braces of its own, or the `else` that follows would be its.
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
