import type { Candidate, Traits } from './traits.ts'

export const someone = (more: Partial<Traits> = {}): Traits => ({
  id: 'viewer',
  age: 30,
  traits: 0,
  avoids: 0,
  languages: 0,
  interests: [0, 0],
  a: 0,
  b: 0,
  ...more,
})

export const candidate = (more: Partial<Candidate> = {}): Candidate => ({
  ...someone({ id: 'other' }),
  distanceKm: 5,
  daysInactive: 0,
  pending: 0,
  likesViewer: false,
  isNew: false,
  impressions: 0,
  ...more,
})
