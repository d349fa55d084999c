import { z } from 'zod'
import { limits } from './limits.ts'

/** Text of several lines, without characters that are invisible or that the database cannot keep. */
export const prose = (min: number, max: number) =>
  z
    .string()
    .max(max * 4)
    .transform((text) =>
      text
        .normalize('NFC')
        .replace(/\r\n?/g, '\n')
        .replace(/[^\P{C}\n\t]/gu, '')
        .trim(),
    )
    .pipe(z.string().min(min).max(max))

/** What a decision says to the person it is about, what an appeal says, and what it is answered. */
export const Statement = prose(limits.statementMin, limits.statementLength)
