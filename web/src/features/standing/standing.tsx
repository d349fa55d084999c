import { preloadTexts } from '../../platform/i18n.ts'
import { lazily } from '../../ui/lazily.tsx'

export const StandingSection = lazily(async () => {
  const [module] = await Promise.all([import('./standing-section.tsx'), preloadTexts('standing')])
  return { default: module.StandingCard }
})
export const SanctionPreview = lazily(async () => {
  const [module] = await Promise.all([import('./sanction-view.tsx'), preloadTexts('standing')])
  return { default: module.SanctionStatement }
})
