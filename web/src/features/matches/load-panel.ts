import { preloadTexts } from '../../platform/i18n.ts'

const importPanel = () => import('./match-panel.tsx')

/** What shows a match, with its texts. Loaded with the first like, so that it is there when the answer comes. */
export const loadPanel = async () => (await Promise.all([importPanel(), preloadTexts('matches', 'catalogue')]))[0]

/** Loads what shows a match before there is one. */
export const prepareMatch = (): void => void loadPanel().catch(() => undefined)
