export { MatchingSettings } from './matching-settings.tsx'
