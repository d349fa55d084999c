export { DecisionBar } from './decision-bar.tsx'
export { PreferencesSheet } from './preferences-sheet.tsx'
export { WhyCard } from './reasons.tsx'
