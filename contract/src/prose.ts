import { z } from 'zod'
import { limits } from './limits.ts'
import { asLine, asProse, isVisible } from './written-text.ts'

/**
 * Input may be twice the limit, to allow for surrounding spaces and dropped characters. The length is checked first
 * because normalising a long run of combining marks takes quadratic time.
 */
const sent = (most: number) => z.string().max(most * 2, { abort: true })
const orNothing = (text: string) => (isVisible(text) ? text : '')
const required = <T extends z.ZodString>(schema: T) => schema.refine(isVisible, 'must contain something visible')

export const line = (most: number) => required(sent(most).overwrite(asLine).min(1).max(most))
/** An optional one-line text. If it has no visible character, it becomes an empty string. */
export const optionalLine = (most: number) => sent(most).overwrite(asLine).overwrite(orNothing).max(most)
export const prose = (least: number, most: number) => required(sent(most).overwrite(asProse).min(least).max(most))
/** An optional multi-line text. If it has no visible character, it becomes an empty string. */
export const optionalProse = (most: number) => sent(most).overwrite(asProse).overwrite(orNothing).max(most)

export const Statement = prose(limits.statementMin, limits.statementLength)
