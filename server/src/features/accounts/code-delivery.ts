import { setTimeout as sleep } from 'node:timers/promises'
import { after, minutes, seconds } from '../../platform/clock.ts'
import { isRefusedForGood, isUncertain, type Mail, meaningOf } from '../../platform/mailer.ts'
import type { Platform } from '../../platform/platform.ts'

/** The pauses between tries; the last one repeats. */
const pausesMs = [seconds(5), seconds(15), seconds(60)]
/** The maximum lifetime of a code. */
const mostMs = minutes(10)

interface Delivery {
  mail: Omit<Mail, 'kind' | 'isRepeated'>
  /** The id of the request for the code. */
  requestId?: string | undefined
  /** Whether the code still works: not used, replaced or expired. */
  isLive(): Promise<boolean>
  /** Called once if the first try failed. */
  onLate?(): Promise<void>
}

/**
 * Emails a code and retries as long as it is valid. Only this process knows the code, because the database has a hash.
 * Returns whether the mail server accepted it. Doesn't retry if the server refused it permanently or may have accepted
 * it.
 */
export async function deliverCode(
  { mailer, log, clock }: Pick<Platform, 'mailer' | 'log' | 'clock'>,
  { mail, requestId, isLive, onLate }: Delivery,
  pauses: readonly number[] = pausesMs,
): Promise<boolean> {
  const until = after(clock.now(), mostMs)
  // The code stays valid if the database is down for a moment.
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
