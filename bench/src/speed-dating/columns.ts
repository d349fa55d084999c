/** Interests that everyone rated from 1 to 10 at sign-up. */
export const interests = [
  'sports',
  'tvsports',
  'exercise',
  'dining',
  'museums',
  'art',
  'hiking',
  'gaming',
  'clubbing',
  'reading',
  'tv',
  'theater',
  'movies',
  'concerts',
  'music',
  'shopping',
  'yoga',
] as const

/** Qualities whose importance everyone rated at sign-up, and in which they rated themselves. */
export const qualities = ['attr', 'sinc', 'intel', 'fun', 'amb'] as const
type Quality = (typeof qualities)[number]

/** The columns known before the evening began. Features may use no others. */
export type Known =
  | 'age'
  | 'field_cd'
  | 'career_c'
  | 'goal'
  | 'date'
  | 'go_out'
  | 'exphappy'
  | 'int_corr'
  | (typeof interests)[number]
  | `${Quality}1_1`
  | 'shar1_1'
  | `${Quality}3_1`

/** The labels: who met, when, and what they decided. */
export type Meeting = 'iid' | 'pid' | 'gender' | 'wave' | 'order' | 'dec' | 'match'

/** Ratings given right after each date. Only the graded regime uses them, and only for visible meetings. */
export const scorecard = [...qualities, 'shar', 'like', 'prob'] as const
export type Graded = (typeof scorecard)[number]

export type Row = Record<Known | Meeting | Graded, string>

export const known: readonly Known[] = [
  'age',
  'field_cd',
  'career_c',
  'goal',
  'date',
  'go_out',
  'exphappy',
  'int_corr',
  ...interests,
  ...qualities.map((quality) => `${quality}1_1` as const),
  'shar1_1',
  ...qualities.map((quality) => `${quality}3_1` as const),
]
export const meeting: readonly Meeting[] = ['iid', 'pid', 'gender', 'wave', 'order', 'dec', 'match']
