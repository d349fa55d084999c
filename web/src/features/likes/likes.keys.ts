/** Everything about those who like me. */
export const likesKey = ['likes'] as const
export const receivedKey = [...likesKey, 'received'] as const
export const waitingKey = [...likesKey, 'waiting'] as const
/** Those of them who are marked in the deck. Apart from the others, as my decisions about people do not change it. */
export const admirersKey = ['admirers'] as const
/** The lists of my own decisions; the mutations that make and undo them, too. */
export const decisionsKey = ['decisions'] as const
