export const conversationsKey = ['conversations'] as const

/** My deck: the people who come next. */
export const deckKey = ['deck'] as const
/** The people around me. */
export const nearbyKey = ['nearby'] as const
/** How many people match my filters. */
export const poolKey = ['pool'] as const

/** Everything about those who like me. */
export const likesKey = ['likes'] as const
export const receivedKey = [...likesKey, 'received'] as const
export const waitingKey = [...likesKey, 'waiting'] as const
/** Those of them who are marked in the deck. Apart from the others, as my decisions about people do not change it. */
export const admirersKey = ['admirers'] as const
/** The lists of my own decisions; the mutations that make and undo them, too. */
export const decisionsKey = ['decisions'] as const

export const matchesKey = ['matches'] as const
export const unmatchKey = ['unmatch'] as const

export const notificationsKey = ['notifications'] as const

/** The pages of all people. */
export const profilesKey = ['profile'] as const
export const profileKey = (id: string) => [...profilesKey, id] as const

export const questionsKey = ['questions'] as const

export const reportsKey = ['reports'] as const
export const pastContactsKey = [...reportsKey, 'past'] as const

export const blocksKey = ['blocks'] as const
