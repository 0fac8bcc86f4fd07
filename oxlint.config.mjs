// Floors and the order of areas: src/README.md draws them. `npm run lint` names this file, because Node 20 finds JSON alone by itself.

const restricted = (...patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });

const DOORS = ['**/api/**', '**/bot/**', '**/cli/**', '**/notifier/**', '**/demo/**', '**/ui/**'];

const SHARED = [
  { group: ['node:*'], message: 'shared is isomorphic: no Node' },
  {
    group: ['lib', 'providers', 'operations', 'services', 'api', 'cli'].map((floor) => `**/src/${floor}/**`),
    message: 'shared sees zod, punycode and itself',
  },
  {
    group: [
      '../lib/**',
      '../providers/**',
      '../operations/**',
      '../services/**',
      '../api/**',
      '../cli/**',
      '../../db/**',
    ],
    message: 'shared sees zod, punycode and itself',
  },
  {
    group: ['../../lib/**', '../../providers/**', '../../operations/**', '../../services/**', '../../../**'],
    message: 'shared sees zod, punycode and itself',
  },
  { group: ['sequelize', 'koa', 'react', 'undici', 'pino'], message: 'shared sees zod, punycode and itself' },
];

const SERVICES = [
  { group: [...DOORS, 'koa', 'commander', 'ink'], message: 'services know no door' },
  {
    group: ['**/shared/i18n/index.ts'],
    importNames: ['Language', 'Render', 'languageOf', 'renderMessage', 'say', 'translate'],
    message: 'services return messages; doors render them',
  },
];

const SQL = {
  group: ['**/db/index.ts'],
  importNames: ['select', 'execute', 'executeUnaudited'],
  message: 'SQL stands in the rows files of the area',
};

const OPERATIONS = [
  {
    group: ['**/services/**', '**/providers/**', '!**/providers/provider-error.ts', ...DOORS],
    message: 'operations are mechanism: they know no noun, and of the outside only how it fails',
  },
];

/** Each sees those before it, never those after it. */
const AREAS = [
  'access',
  'operations',
  'accounts',
  'portfolio',
  'checks',
  'dns',
  'sites',
  'names',
  'purchases',
  'transfers',
  'positions',
  'why',
  'notices',
  'triage',
  'audit',
  'timeline',
  'system',
];

const areas = AREAS.flatMap((area, place) => {
  const higher = AREAS.slice(place + 1);
  const message = `${area} comes before it`;
  const above = (...bases) => higher.flatMap((name) => bases.map((base) => `${base}/${name}/**`));
  const upward = (...bases) => (higher.length === 0 ? [] : [{ group: above(...bases), message }]);
  const service = [...SERVICES, ...upward('..', '../../shared')];
  // Names are generated and checked without the database.
  const sql = area === 'names' ? [] : [SQL];
  return [
    { files: [`src/shared/${area}/**`], rules: restricted(...SHARED, ...upward('..')) },
    { files: [`src/services/${area}/**`], rules: restricted(...service, ...sql) },
    { files: [`src/services/${area}/rows.ts`, `src/services/${area}/*-rows.ts`], rules: restricted(...service) },
  ];
});

const UI = [
  { group: ['node:*'], message: 'ui runs in the browser' },
  {
    group: [...['lib', 'providers', 'operations', 'services', 'cli'].map((floor) => `**/src/${floor}/**`), '**/db/**'],
    message: 'ui sees src/shared, and types of src/api',
  },
  { group: ['**/src/api/**'], allowTypeImports: true, message: 'ui sees the types of src/api only' },
];

const SCREENS = [
  'accounts',
  'checks',
  'dashboard',
  'dns',
  'domains',
  'imports',
  'operations',
  'portfolio',
  'positions',
  'settings',
  'shell',
  'sites',
  'transfers',
  'triage',
  'users',
  'why',
];

export default {
  plugins: ['typescript', 'import', 'react', 'jsx-a11y', 'vitest', 'unicorn', 'oxc', 'promise'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  options: { typeAware: true },
  // AssemblyScript has types of its own.
  ignorePatterns: ['dist', 'node_modules', 'src/providers/blocklist/assembly/rows.ts'],
  rules: {
    'import/no-cycle': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    'typescript/consistent-type-imports': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'react/no-danger': 'error',
    'react/react-in-jsx-scope': 'off',
    'react/jsx-no-target-blank': 'error',
    'no-console': 'error',
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'import/no-unassigned-import': 'off',
    'import/no-named-as-default-member': 'off',
    'unicorn/prefer-node-protocol': 'error',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'no-eval': 'error',
    'max-lines': ['error', { max: 250 }],
    'max-lines-per-function': ['error', { max: 60 }],
  },
  overrides: [
    { files: ['src/shared/**'], rules: restricted(...SHARED) },
    {
      files: ['src/lib/**'],
      rules: restricted({
        group: [
          '**/providers/**',
          '**/operations/**',
          '**/services/**',
          '**/api/**',
          '**/cli/**',
          '**/demo/**',
          '../../db/**',
          '../../ui/**',
        ],
        message: 'lib sees shared and itself',
      }),
    },
    {
      files: ['src/providers/**'],
      rules: restricted({
        group: ['**/operations/**', '**/services/**', ...DOORS, '**/db/**', 'sequelize'],
        message: 'providers know neither db nor services',
      }),
    },
    {
      files: ['db/**'],
      rules: restricted({
        group: ['**/operations/**', '**/services/**', '**/providers/**', ...DOORS],
        message: 'db sees shared, lib and itself',
      }),
    },
    { files: ['src/operations/**'], rules: restricted(...OPERATIONS, SQL) },
    {
      files: ['src/operations/rows.ts', 'src/operations/*-rows.ts', 'src/operations/schedule/rows.ts'],
      rules: restricted(...OPERATIONS),
    },
    { files: ['src/services/**'], rules: restricted(...SERVICES) },
    ...areas,
    {
      files: ['src/api/**'],
      rules: restricted({
        group: ['**/cli/**', '**/demo/**', '**/ui/**', '**/db/**', '**/providers/**'],
        message: 'a door calls services',
      }),
    },
    {
      files: ['src/notifier/**'],
      rules: restricted({
        group: ['**/ui/**', '**/api/**', '**/bot/**', '**/cli/**', '**/demo/**', '**/db/**'],
        message: 'a door calls services',
      }),
    },
    {
      files: ['src/bot/**'],
      rules: restricted({
        group: ['**/api/**', '**/cli/**', '**/notifier/**', '**/demo/**', '**/ui/**', '**/db/**', '**/providers/**'],
        message: 'a door calls services',
      }),
    },
    {
      files: ['src/cli/**'],
      rules: restricted({ group: ['**/ui/**', '**/providers/**', '**/api/**'], message: 'a door calls services' }),
    },
    { files: ['ui/**'], rules: { 'no-console': 'off', ...restricted(...UI) } },
    {
      files: ['ui/kit/**'],
      rules: restricted(...UI, {
        group: SCREENS.flatMap((room) => [`../${room}/**`, `../../${room}/**`]),
        message: 'the kit knows no screen',
      }),
    },
    {
      files: ['bench/**', 'bin/**', 'test/**', 'ui/vite.config.ts', 'ui/vite/**'],
      rules: { 'no-console': 'off', 'no-restricted-imports': 'off' },
    },
    // A group of tests is one function.
    { files: ['test/**'], rules: { 'max-lines-per-function': 'off' } },
    // Data and catalogues.
    {
      files: [
        'src/shared/i18n/*/**',
        'src/cli/texts/**',
        'test/api/calls.ts',
        'test/api/rights/matrix-*.ts',
        'test/providers/registry/answers.ts',
      ],
      rules: { 'max-lines': 'off' },
    },
  ],
};
