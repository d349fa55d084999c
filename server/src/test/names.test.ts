import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const isCode = (file: string) =>
  file.endsWith('.ts') && !/[.]test[.]ts$|[.]test-|^server\/src\/test\//.test(file) && !generated.includes(file)
/** The row types of tables, by the names of the tables. */
const generated = ['server/src/platform/database/schema.ts']

const texts = ['contract/src', 'server/src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter(isCode)
    .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const),
)

const declared = /^export (?:async )?(?:const|let|function|class|interface|type|enum) (\w+)( = endpoint\()?/gm

interface Definition {
  file: string
  isEndpoint: boolean
}

/** By name. A schema of zod and the type of the same name are one definition. */
function definitions(): Map<string, Definition[]> {
  const all = new Map<string, Definition[]>()
  for (const [file, text] of texts)
    for (const [, name = '', endpoint] of text.matchAll(declared)) {
      const others = (all.get(name) ?? []).filter((other) => other.file !== file)
      all.set(name, [...others, { file, isEndpoint: endpoint !== undefined }])
    }
  return all
}

/** An endpoint of the contract and the verb of the server that answers it are one thing, of one name. */
const isEndpointWithVerb = ([one, other, ...more]: Definition[]) =>
  one?.isEndpoint && other?.isEndpoint === false && !other.file.startsWith('contract/') && more.length === 0

/** Names that are defined twice and mean the same both times. */
const reasons: Record<string, string> = {
  holdAccount: 'a statement of one line',
}

it('one exported name means one thing in the contract and the server', () => {
  const twice = [...definitions()].filter(([, places]) => places.length > 1 && !isEndpointWithVerb(places))
  expect(twice.filter(([name]) => !(name in reasons))).toEqual([])
  expect(Object.keys(reasons).filter((name) => !twice.some(([other]) => other === name))).toEqual([])
})

const query = /^export (?:async )?function (find|count|is|has|may)\w*[\s\S]*?^}/gm
const write =
  /\b(?:insert into|update \w+ (?:\w+ )?set|delete from|for (?:no key )?update|for (?:key )?share)\b|[.](?:insertInto|updateTable|deleteFrom|for\w*(?:Update|Share))\(/

it('a query whose name asks a question changes and locks nothing', () => {
  const asking = texts.filter(([file]) => file.endsWith('.queries.ts')).flatMap(([, text]) => text.match(query) ?? [])
  expect(asking.length).toBeGreaterThan(100)
  expect(asking.filter((text) => write.test(text))).toEqual([])
})
