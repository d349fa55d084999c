// The boundaries between the parts, as docs/architecture.md draws them.
const tests = '[.]test[.]tsx?$|[.]test-[a-z]+[.]ts$|^server/src/test/|^web/src/test/'
const roots = '^server/src/(main|app)[.]ts$|^server/src/cli/|^web/src/(main[.]tsx|vite-env[.]d[.]ts)$|[.]d[.]ts$'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'contract-stands-alone',
      comment: 'The contract is what both sides agree on: it knows neither.',
      severity: 'error',
      from: { path: '^contract/src' },
      to: { path: '^(server|web|e2e|bench)/' },
    },
    {
      name: 'web-never-server',
      severity: 'error',
      from: { path: '^web/src' },
      to: { path: '^server/' },
    },
    {
      name: 'server-never-web',
      severity: 'error',
      from: { path: '^server/src' },
      to: { path: '^web/' },
    },
    {
      name: 'platform-never-features',
      comment: 'The platform knows no word of dating, and no one above it.',
      severity: 'error',
      from: { path: '^(server|web)/src/(platform|ui)/', pathNot: tests },
      to: {
        path: '^(server|web)/src/(features|app)/|^server/src/(app|main)[.]ts$|^server/src/cli/|^web/src/main[.]tsx$',
      },
    },
    {
      name: 'ui-fetches-nothing',
      severity: 'error',
      from: { path: '^web/src/ui/', pathNot: tests },
      to: {
        path: '^web/src/platform/(call|socket|query)|(^|/)node_modules/(@tanstack/react-query|socket[.]io-client)/',
      },
    },
    {
      name: 'features-never-app',
      comment: 'Only the composition roots know everything.',
      severity: 'error',
      from: { path: '^(server|web)/src/features/', pathNot: tests },
      to: { path: '^server/src/(app|main)[.]ts$|^server/src/cli/|^web/src/(app/|main[.]tsx$)' },
    },
    {
      name: 'features-through-the-front-door',
      comment: 'A feature reaches another one only through the file that is named after its folder.',
      severity: 'error',
      from: { path: '^(server|web)/src/features/([^/]+)/', pathNot: tests },
      to: {
        path: '^$1/src/features/([^/]+)/',
        pathNot: ['^$1/src/features/$2/', '^(server|web)/src/features/([^/]+)/\\2[.]tsx?$'],
      },
    },
    {
      name: 'sql-in-queries-only',
      comment: 'Only *.queries.ts and the platform touch the driver; its types may be named anywhere.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: [tests, roots, '[.]queries[.]ts$', '^server/src/platform/'] },
      to: { path: '(^|/)node_modules/(pg|kysely)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-tests-in-code',
      severity: 'error',
      from: { path: '^(contract|server|web)/src/', pathNot: [tests, '^(contract|server|web)/src/.*[.]test-'] },
      to: { path: tests },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: [tests, roots] },
      to: {},
    },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
    combinedDependencies: true,
  },
}
