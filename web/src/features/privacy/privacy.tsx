import { lazily } from '../../ui/lazily.tsx'

export { Folded } from './folded.tsx'
export { useHidden } from './privacy.api.ts'

/** Who sees what of me, and what I see; in the settings. */
export const PrivacySettings = lazily(async () => ({ default: (await import('./privacy-section.tsx')).PrivacySection }))
