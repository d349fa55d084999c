export const blocksKey = ['blocks'] as const
