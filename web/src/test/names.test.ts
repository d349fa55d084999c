import { expect, it } from 'vitest'

const texts = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}', '!../**/*.test-*.{ts,tsx}'], {
  eager: true,
  query: '?raw',
  import: 'default',
})
const declared = /^export (?:async )?(?:const|let|function|class|interface|type|enum) (\w+)/gm
/** Loads a component of the same name when it is first drawn: the same thing. */
const isLazy = (text: string, name: string) => new RegExp(`default: .*[.]${name}\\b`).test(text)
/** One file for each language: the names are the same on purpose. */
const isCatalogue = (file: string) => file.startsWith('../locales/')

it('one exported name means one thing in the whole of the web app', () => {
  const places = new Map<string, string[]>()
  for (const [file, text] of Object.entries(texts))
    for (const [, name = ''] of text.matchAll(declared))
      if (!isCatalogue(file) && !isLazy(text, name)) places.set(name, [...(places.get(name) ?? []), file])
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([])
})
