import { lazily } from '../../ui/lazily.tsx'

export { Folded } from './folded.tsx'
export { useHidden } from './privacy.api.ts'

export const PrivacySettings = lazily(async () => ({ default: (await import('./privacy-section.tsx')).PrivacySection }))
