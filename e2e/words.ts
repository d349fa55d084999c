import { readdirSync, readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'

type Texts = { [key: string]: string | Texts }

const folder = (language: string) => new URL(`../web/src/locales/${language}/`, import.meta.url)
const textsOf = (language: string, file: string): Texts =>
  JSON.parse(readFileSync(new URL(file, folder(language)), 'utf8'))

/** Returns a function that looks up an app text in one language: `say('discovery:modes.nearby')`. */
export const wordsOf = (language: string) => (key: string) => {
  const [namespace = '', path = ''] = key.split(':')
  let text: string | Texts | undefined = textsOf(language, `${namespace}.json`)
  for (const name of path.split('.')) text = typeof text === 'object' ? text[name] : undefined
  if (typeof text !== 'string') throw new Error(`There is no text ${key}.`)
  return text
}

const flat = (texts: Texts): string[] =>
  Object.values(texts).flatMap((text) => (typeof text === 'string' ? text : flat(text)))
const allOf = (language: string) => readdirSync(folder(language)).flatMap((file) => flat(textsOf(language, file)))

export async function untranslated(page: Page, language: string): Promise<string[]> {
  const said = await page.evaluate(() => {
    const attributes = ['aria-label', 'placeholder', 'title', 'alt']
    return [document.body, ...document.body.querySelectorAll('*')].flatMap((one) => [
      ...[...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent ?? ''),
      ...attributes.map((name) => one.getAttribute(name) ?? ''),
    ])
  })
  const own = new Set(allOf(language))
  const english = new Set(allOf('en').filter((text) => /\p{L}{2}/u.test(text) && !own.has(text)))
  return [...new Set(said.map((text) => text.trim()))].filter((text) => english.has(text))
}
