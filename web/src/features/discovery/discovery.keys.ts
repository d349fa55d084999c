/** My deck: the people who come next. */
export const deckKey = ['deck'] as const
/** The people around me. */
export const nearbyKey = ['nearby'] as const
/** How many people match my filters. */
export const poolKey = ['pool'] as const
