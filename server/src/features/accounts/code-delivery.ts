import { setTimeout as sleep } from 'node:timers/promises'
import { after, minutes, seconds } from '../../platform/clock.ts'
import { isRefusedForGood, isUncertain, type Mail, meaningOf } from '../../platform/mailer.ts'
import type { Platform } from '../../platform/platform.ts'

/** The pauses between attempts; the last one repeats. */
const pausesMs = [seconds(5), seconds(15), seconds(60)]
const mostMs = minutes(10)

interface Delivery {
  mail: Omit<Mail, 'kind' | 'isRepeated'>
  requestId?: string | undefined
  /** Whether the code is still valid: not used, replaced or expired. */
  isLive(): Promise<boolean>
  /** Called once, if the first attempt failed. */
  onLate?(): Promise<void>
}

/**
 * Emails a code, retrying while it is valid. Retries must happen in this process, because the database stores only the
 * code's hash. Doesn't retry if the server refused the email permanently or may have accepted it. Returns whether it
 * was accepted.
 */
export async function deliverCode(
  { mailer, log, clock }: Pick<Platform, 'mailer' | 'log' | 'clock'>,
  { mail, requestId, isLive, onLate }: Delivery,
  pauses: readonly number[] = pausesMs,
): Promise<boolean> {
  const until = after(clock.now(), mostMs)
  // If the database is briefly unavailable, the code is assumed to be valid.
  const heard = <T>(asked: Promise<T>, otherwise: T) =>
    asked.catch((err: unknown) => {
      log.warn({ err, requestId }, 'the database failed while a code was being emailed; it will be retried')
      return otherwise
    })
  for (let tries = 0; ; tries++) {
    const failed = await mailer.send({ kind: 'code', isRepeated: tries > 0, ...mail }).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    if (!failed) return true
    const { error } = failed
    const isOver = isUncertain(error) || isRefusedForGood(error)
    const message = isOver ? 'a code could not be mailed' : 'a code could not be mailed yet; it will be retried'
    log.error({ err: error, requestId }, message)
    const isOurs = !isUncertain(error) && meaningOf(error) !== 'gone'
    if (tries === 0 && isOurs && onLate) await heard(onLate(), undefined)
    if (isOver) return false
    await sleep(pauses[Math.min(tries, pauses.length - 1)], undefined, { ref: false })
    if (clock.now() >= until || !(await heard(isLive(), true))) return false
  }
}
