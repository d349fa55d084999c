import type { Ground } from '@duet/contract/sanctions.ts'
import i18next from 'i18next'
import { useEffect, useState } from 'react'
import type { DecidedCase } from './decided-case.ts'

async function draftStatement(language: string, ground: Ground, { subject, said }: DecidedCase): Promise<string> {
  await i18next.loadLanguages(language)
  await i18next.loadNamespaces('moderation')
  const t = i18next.getFixedT(language, 'moderation')
  const date = said ? new Date(said).toLocaleDateString(language, { dateStyle: 'long' }) : ''
  const what = said ? t('template.subject.messageOf', { date }) : t(`template.subject.${subject}`)
  return `${what} ${t(`template.ground.${ground}`)}`
}

/** A statement drafted from the ground and language. It is redrafted when they change, unless someone has edited it. */
export function useStatement(language: string, ground: Ground, about: DecidedCase) {
  const [statement, setStatement] = useState('')
  const [isOwn, setOwn] = useState(false)
  useEffect(() => {
    if (isOwn) return
    let left = false
    void draftStatement(language, ground, about).then((text) => !left && setStatement(text))
    return () => {
      left = true
    }
  }, [language, ground, about, isOwn])
  const write = (text: string) => {
    setOwn(true)
    setStatement(text)
  }
  return { statement, write, prefill: isOwn ? () => setOwn(false) : undefined }
}
