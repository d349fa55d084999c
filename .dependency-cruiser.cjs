// The boundaries between the parts, as docs/architecture.md draws them.
const tests = '[.]test[.]tsx?$|[.]test-[a-z]+[.]ts$|^server/src/test/|^web/src/test/'
const roots =
  '^server/src/(main|app)[.]ts$|^server/src/cli/|^e2e/|^bench/|^web/src/(main[.]tsx|vite-env[.]d[.]ts)$|[.]d[.]ts$'

/** Rooms of the server's features that others enter, besides the file that is named after its folder. */
const doors = Object.entries(require('./server/doors.json')).flatMap(([noun, rooms]) =>
  rooms.map((room) => `${noun}/${room.replaceAll('.', '[.]')}`),
)
const serverDoors = `^server/src/features/(${doors.join('|')})[.]ts$`

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'contract-stands-alone',
      comment: 'The contract is what both sides agree on: it knows neither.',
      severity: 'error',
      from: { path: '^contract/src' },
      to: { path: '^(server|web|e2e|bench|tools)/' },
    },
    {
      name: 'journeys-and-benches-apart',
      comment: 'What journeys, faults and benches share is in tools/.',
      severity: 'error',
      from: { path: '^(e2e|bench)/' },
      to: { path: '^(e2e|bench)/', pathNot: '^$1/' },
    },
    {
      name: 'tools-stand-alone',
      severity: 'error',
      from: { path: '^tools/' },
      to: { path: '^(contract|server|web|e2e|bench)/' },
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
        path: '^(server|web)/src/(features|app)/|^web/src/(cache|screens)/|^server/src/(app|base|jobs|main|stop|wires)[.]ts$|^server/src/(cli|demo)/|^web/src/main[.]tsx$',
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
      to: {
        path: '^server/src/(app|base|jobs|main|stop|wires)[.]ts$|^server/src/(cli|demo)/|^web/src/((app|screens)/|main[.]tsx$)',
      },
    },
    {
      name: 'screens-never-app',
      comment: 'A screen composes features. Several screens may share one, but none opens another.',
      severity: 'error',
      from: { path: '^web/src/screens/([^/]+)/', pathNot: tests },
      to: { path: '^web/src/(app/|main[.]tsx$|screens/)', pathNot: '^web/src/screens/$1/' },
    },
    {
      name: 'cache-below-features',
      comment: 'Query keys and what forgets a person know no feature.',
      severity: 'error',
      from: { path: '^web/src/cache/', pathNot: tests },
      to: { path: '^web/src/(app|features|screens)/' },
    },
    {
      name: 'demo-through-the-front-door',
      comment: 'The demo lives on what every feature offers the others.',
      severity: 'error',
      from: { path: '^server/src/demo/', pathNot: tests },
      to: {
        path: '^server/src/features/([^/]+)/',
        pathNot: ['^server/src/features/([^/]+)/\\1[.]ts$', serverDoors],
      },
    },
    {
      name: 'features-through-the-front-door',
      comment:
        'A feature reaches another one only through its front doors: the file that is named after its folder, on the server those in doors.json.',
      severity: 'error',
      from: { path: '^(server|web)/src/features/([^/]+)/', pathNot: tests },
      to: {
        path: '^$1/src/features/([^/]+)/',
        pathNot: ['^$1/src/features/$2/', '^(server|web)/src/features/([^/]+)/\\2[.]tsx?$', serverDoors],
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
      name: 'pictures-opened-aside',
      comment: 'The server holds no library that opens pictures: decoder processes do, which can be killed.',
      severity: 'error',
      from: { path: '^server/src/main\\.ts$' },
      to: { path: 'node_modules/sharp/', reachable: true },
    },
    {
      name: 'no-circles',
      comment: 'Of types neither.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'gatherers-above-rooms',
      comment: 'These files gather the rooms of the platform.',
      severity: 'error',
      from: { path: '^server/src/platform/[^/]+/', pathNot: tests },
      to: { path: '^server/src/platform/(platform|metrics|transaction|file-removal)[.]ts$' },
    },
    {
      name: 'chat-engine-stands-alone',
      comment:
        'It runs in the page, in the fault tests and in a terminal alike: nothing of React or of the page is in it.',
      severity: 'error',
      from: { path: '^web/src/features/conversations/chat/', pathNot: tests },
      to: {
        pathNot: [
          '^web/src/features/conversations/chat/',
          '^contract/src/',
          '^web/src/platform/(problem|permitted)[.]ts$',
          '(^|/)node_modules/idb-keyval/',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'chat-engine-knows-no-react',
      comment: 'Not even its types.',
      severity: 'error',
      from: { path: '^web/src/features/conversations/chat/', pathNot: tests },
      to: { path: '(^|/)node_modules/(@types/)?(react|@tanstack|zustand|wouter)|^web/src/(app|ui)/|[.]tsx$' },
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
