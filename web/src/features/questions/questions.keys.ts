export const questionsKey = ['questions'] as const
