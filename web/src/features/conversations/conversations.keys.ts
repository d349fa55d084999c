export const conversationsKey = ['conversations'] as const
