import { preloadTexts } from '../../platform/i18n.ts'
import { lazily } from '../../ui/lazily.tsx'

/** Where the viewer stands with the rules; in the settings. */
export const StandingSection = lazily(async () => {
  const [module] = await Promise.all([import('./standing-section.tsx'), preloadTexts('standing')])
  return { default: module.StandingCard }
})
/** A decision as the person it is about reads it; before it is made. */
export const SanctionPreview = lazily(async () => {
  const [module] = await Promise.all([import('./sanction-view.tsx'), preloadTexts('standing')])
  return { default: module.SanctionStatement }
})
