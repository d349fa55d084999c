export const matchesKey = ['matches'] as const
export const unmatchKey = ['unmatch'] as const
