/** The interests everybody rated from 1 to 10 when signing up. */
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

/** The qualities everybody gave weights to, and rated themselves by. */
export const qualities = ['attr', 'sinc', 'intel', 'fun', 'amb'] as const
type Quality = (typeof qualities)[number]

/** What was known before the evening began: features are made of nothing else. */
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

/** Who met whom and when, and what they decided: what is to be foretold. */
export type Meeting = 'iid' | 'pid' | 'gender' | 'wave' | 'order' | 'dec' | 'match'

export type Row = Record<Known | Meeting, string>

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
