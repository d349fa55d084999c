/** The pages of all people. */
export const profilesKey = ['profile'] as const
export const profileKey = (id: string) => [...profilesKey, id] as const
