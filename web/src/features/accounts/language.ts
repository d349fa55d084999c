import i18next from 'i18next'
import { call } from '../../platform/call.ts'
import { languages } from '../../platform/i18n.ts'
import { useSession } from '../../platform/session.ts'

export function followLanguage(): () => void {
  let before: string | undefined = i18next.language
  const tell = (chosen: string) => {
    const language = languages.find((one) => one === chosen)
    // The first event only reports the language the page starts with; it isn't a change.
    const isChange = before !== undefined && chosen !== before
    before = chosen
    if (!language || !isChange || !useSession.getState().user) return
    // A failure is ignored, because the next sign-in sends the language again.
    void call('PUT /api/user/language', { body: { language } }).catch(() => undefined)
  }
  i18next.on('languageChanged', tell)
  return () => i18next.off('languageChanged', tell)
}
