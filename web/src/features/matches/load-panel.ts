import { preloadTexts } from '../../platform/i18n.ts'

const importPanel = () => import('./match-panel.tsx')

/** The match panel with its texts. Preloaded with the first like, so that it is ready if the like is a match. */
export const loadPanel = async () => (await Promise.all([importPanel(), preloadTexts('matches', 'catalogue')]))[0]

export const prepareMatch = (): void => void loadPanel().catch(() => undefined)
