import { lazy } from 'react'
import { preloadTexts } from '../../platform/i18n.ts'

/** Where the viewer stands with the rules; in the settings. */
export const StandingSection = lazy(async () => {
  const [module] = await Promise.all([import('./standing-section.tsx'), preloadTexts('standing')])
  return { default: module.StandingCard }
})
/** A decision as the person it is about reads it; before it is made. */
export const SanctionPreview = lazy(async () => {
  const [module] = await Promise.all([import('./sanction-view.tsx'), preloadTexts('standing')])
  return { default: module.SanctionStatement }
})
