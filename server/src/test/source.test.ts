import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { beforeAll, expect, it } from 'vitest'

// What the compiler knows and the linter does not ask: which promises are dropped, where a text is cut, and when the focus moves.
const root = fileURLToPath(new URL('../../..', import.meta.url))

function filesOf(folder: string, ending: RegExp): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => ending.test(name)).map((name) => join(root, folder, name))
}
const isTest = (path: string) => /\.test[.-]|\/test\/|\/cli\//.test(relative(root, path))

let checker: ts.TypeChecker
interface Source {
  path: string
  file: ts.SourceFile
}
let sources: Source[]
let tests: Source[]
beforeAll(() => {
  const { config } = ts.readConfigFile(join(root, 'web/tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(root, 'web'))
  const paths = ['contract/src', 'server/src', 'web/src']
    .flatMap((folder) => filesOf(folder, /\.tsx?$/))
    .filter((path) => !isTest(path) || path.startsWith(join(root, 'server')))
  const program = ts.createProgram(paths, { ...options, types: ['node'], noEmit: true, skipLibCheck: true })
  checker = program.getTypeChecker()
  const read = (path: string): Source => ({
    path: relative(root, path),
    file: program.getSourceFile(path) as ts.SourceFile,
  })
  sources = paths.filter((path) => !isTest(path)).map(read)
  tests = paths.filter(isTest).map(read)
}, 600_000)

/** What `pick` finds in a source, as its text. */
function found(file: ts.SourceFile, pick: (node: ts.Node) => ts.Node | undefined): string[] {
  const texts: string[] = []
  const walk = (node: ts.Node): void => {
    const picked = pick(node)
    if (picked) texts.push(picked.getText(file).replace(/\s+/g, ' '))
    ts.forEachChild(node, walk)
  }
  walk(file)
  return texts
}

function isPromise(node: ts.Expression): boolean {
  const type = checker.getTypeAtLocation(node)
  return (type.isUnion() ? type.types : [type]).some(({ symbol }) => symbol?.name === 'Promise')
}

/** `….catch(…)` or `….then(…, …)`, whatever follows at last. */
function isHeard(node: ts.Expression): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false
  const { name, expression } = node.expression
  if (name.text === 'finally') return isHeard(expression)
  return name.text === 'catch' || (name.text === 'then' && node.arguments.length === 2)
}

// Fastify's own parser answers by its callback.
const isParser = (node: ts.CallExpression) => node.expression.getText() === 'parse' && node.arguments.length === 3

/** A promise that a statement, or `void`, lets go of. */
function dropped(node: ts.Node): ts.Node | undefined {
  if (ts.isVoidExpression(node)) return isPromise(node.expression) && !isHeard(node.expression) ? node : undefined
  if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression) || isParser(node.expression))
    return undefined
  return isPromise(node.expression) && !isHeard(node.expression) ? node : undefined
}

/** Promises that never reject: each hears its own failures. */
const hearsItself: Record<string, readonly string[]> = {
  'server/src/features/conversations/publishing.ts': ['void hooks.onSettled?.(senderId)'],
  'server/src/features/presence/presence.ts': ['void change(senderId)', 'void reading.reread(payload as string)'],
  'server/src/features/presence/reading.ts': ['void persist(log, read, Math.min(waitMs * 2, retryMs.longest))'],
  'server/src/platform/database/database-clock.ts': ['void look().finally(plan)'],
  'server/src/platform/storage/decoders.ts': ['void end(decoder)', 'void end(decoder)', 'void end(decoder)'],
  'server/src/platform/jobs/jobs.ts': ['void untilBegun(log, begin, stopping)'],
  'server/src/platform/database/postgres-server.ts': ["void ended.then(() => lifeline.end('over\\n'))"],
  'server/src/platform/realtime/realtime.ts': [
    'void socket.join([userRoom(viewer.id), sessionRoom(viewer.sessionId)])',
  ],
  'server/src/platform/realtime/session-watch.ts': ['void sweep()'],
  'server/src/platform/security/session.ts': ['void again()'],
}

it('every promise of the server is waited for, or its failure is heard: no one else would, and the process ends', {
  timeout: 600_000,
}, () => {
  const lost = sources
    .filter(({ path }) => path.startsWith('server/'))
    .map(({ path, file }): [string, string[]] => [path, found(file, dropped)])
    .filter(([, texts]) => texts.length > 0)
  expect(Object.fromEntries(lost)).toEqual(hearsItself)
})

const hooks = new Set(['onTestFinished', 'afterEach', 'afterAll', 'beforeEach', 'beforeAll'])

/** A hook that lets go of a promise. */
function hasty(node: ts.Node): ts.Node | undefined {
  if (!ts.isCallExpression(node) || !hooks.has(node.expression.getText())) return undefined
  const drops = (part: ts.Node): boolean => dropped(part) !== undefined || (ts.forEachChild(part, drops) ?? false)
  return drops(node) ? node : undefined
}

it('what a test of the server does before and after itself is waited for: what it needs is gone when the next one begins', () => {
  expect(tests.flatMap(({ path, file }) => found(file, hasty).map((text) => `${path}: ${text}`))).toEqual([])
})

const cutting = new Set(['slice', 'substring', 'substr', 'charAt'])

/** A call that cuts a text, not a list. */
function cut(node: ts.Node): ts.Node | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined
  const { name, expression } = node.expression
  if (!cutting.has(name.text)) return undefined
  return checker.getTypeAtLocation(expression).flags & ts.TypeFlags.StringLike ? node : undefined
}

/** Where a text may be cut otherwise than by `cutText`, and why half a character is never shown. */
const justified: Record<string, string> = {
  'contract/src/cut-text.ts': 'enough of a text to find its characters in',
  'contract/src/text-signals.ts': 'account numbers; a text is looked at, not shown',
  'server/src/config.ts': 'names of variables',
  'server/src/features/candidates/candidates.ts': 'dates',
  'server/src/features/candidates/id-table.ts': 'ids',
  'server/src/features/conversations/voice.ts': 'endings of file names',
  'server/src/features/data-rights/file-sweep.ts': 'names of files',
  'server/src/features/data-rights/ledger.ts': 'entries between their brackets',
  'server/src/demo/demo.ts': 'dates',
  'server/src/demo/mail-page.ts': 'mails between their parts',
  'server/src/demo/people.ts': 'ids, and the first letter of texts that were made up',
  'server/src/demo/population-people.ts': 'ids and dates',
  'server/src/features/discovery/discovery.ts': 'dates',
  'server/src/features/insights/insights.ts': 'dates',
  'server/src/features/insights/people.ts': 'dates',
  'server/src/features/matching/batch.ts': 'dates',
  'server/src/features/sanctions/sanctions.ts': 'dates',
  'server/src/features/reports/evidence-files.ts': 'endings of file names',
  'server/src/features/spam/simhash.ts': 'texts are compared, not shown',
  'server/src/platform/database/backup-place.ts': 'dates',
  'server/src/platform/storage/decoder.ts': 'figures of the operating system',
  'server/src/platform/storage/file-storage.ts': 'names of files',
  'server/src/platform/http/language.ts': 'a header',
  'server/src/platform/mailer.ts': 'lines at their blanks',
  'server/src/platform/web-push.ts': 'names of hosts',
  'server/src/features/notifications/preferences.ts': 'times of day',
  'server/src/platform/realtime/redis-address.ts': 'an address',
  'server/src/platform/realtime/rooms.ts': 'names of rooms',
  'server/src/platform/security/security-events.ts': 'hashes',
  'server/src/platform/storage/s3-storage.ts': 'an address',
  'server/src/production.ts': 'a key',
  'web/src/app/use-screen-start.ts': 'an address',
  'web/src/features/accounts/problem-words.ts': 'digits',
  'web/src/features/conversations/emoji/emoji-button.tsx': 'a text at its caret, which stands between characters',
  'web/src/features/conversations/message/links.ts': 'texts at the edges of links',
  'web/src/features/conversations/chat/message-id.ts': 'ids',
  'web/src/features/conversations/row-time.ts': 'names of days',
  'web/src/features/matches/openers.ts': 'texts at their blanks',
  'web/src/features/own-settings/find-settings.ts': 'keys of texts',
  'web/src/features/profiles/fact-words.ts': 'names of languages',
  'web/src/features/safety-centre/frame.tsx': 'an address',
}

it('no text is cut but between two characters, as people count them', { timeout: 600_000 }, () => {
  const cuts = sources.filter(({ file }) => found(file, cut).length > 0).map(({ path }) => path)
  expect(cuts.sort()).toEqual(Object.keys(justified).sort())
})

const sqlCut = /\b(?:left|right|substr|substring)\s*\((?!userId: string\))/gi

/** The same in SQL, as many times as it stands there. */
const justifiedSql: Record<string, number> = {
  // More than a quote holds, which is cut from it.
  'server/src/features/conversations/messages.queries.ts': 1,
  // Ids, keys and bytes.
  'server/src/features/candidates/candidates.queries.ts': 1,
  'server/src/features/notifications/notifications.queries.ts': 2,
  'server/src/features/questions/questions.queries.ts': 1,
  // The end of more than a report may hold, between code points; administrators alone read it.
  'server/src/features/reports/reports.queries.ts': 1,
}

it('no statement cuts a text but where half a character does no harm', () => {
  const paths = [...filesOf('server/src', /\.queries\.ts$|registry\.ts$/), ...filesOf('server/database', /\.sql$/)]
  const cuts = paths
    .map((path): [string, number] => [relative(root, path), readFileSync(path, 'utf8').match(sqlCut)?.length ?? 0])
    .filter(([, count]) => count > 0)
  expect(Object.fromEntries(cuts)).toEqual(justifiedSql)
})

/** `….focus(…)` that a passive effect calls itself: what it calls later, or hears, is another matter. */
function latelyFocused(node: ts.Node): ts.Node | undefined {
  if (!ts.isCallExpression(node) || node.expression.getText() !== 'useEffect') return undefined
  const [effect] = node.arguments
  const moves = (part: ts.Node): boolean => {
    if (part !== effect && ts.isFunctionLike(part)) return false
    const called = ts.isCallExpression(part) && ts.isPropertyAccessExpression(part.expression)
    return (called && part.expression.name.text === 'focus') || (ts.forEachChild(part, moves) ?? false)
  }
  return effect && moves(effect) ? node : undefined
}

it('what is drawn takes the focus at once: a frame later, keys and screen readers have lost their place', () => {
  expect(sources.flatMap(({ path, file }) => found(file, latelyFocused).map((text) => `${path}: ${text}`))).toEqual([])
})
