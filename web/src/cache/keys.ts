export const conversationsKey = ['conversations'] as const

export const deckKey = ['deck'] as const
export const nearbyKey = ['nearby'] as const
export const poolKey = ['pool'] as const

export const likesKey = ['likes'] as const
export const receivedKey = [...likesKey, 'received'] as const
export const waitingKey = [...likesKey, 'waiting'] as const
/**
 * The people whose cards the deck marks as admirers. Separate from `likesKey`, because the viewer's own decisions don't
 * change this list.
 */
export const admirersKey = ['admirers'] as const
/** Used both for the lists of the person's decisions and for the mutations that make and undo decisions. */
export const decisionsKey = ['decisions'] as const

export const matchesKey = ['matches'] as const
export const unmatchKey = ['unmatch'] as const

export const notificationsKey = ['notifications'] as const

export const profilesKey = ['profile'] as const
export const profileKey = (id: string) => [...profilesKey, id] as const

export const questionsKey = ['questions'] as const

export const reportsKey = ['reports'] as const
export const pastContactsKey = [...reportsKey, 'past'] as const

export const blocksKey = ['blocks'] as const
