import { setTimeout as sleep } from 'node:timers/promises'
import { after, minutes, seconds } from '../../platform/clock.ts'
import { isRefusedForGood, isUncertain, type Mail, meaningOf } from '../../platform/mailer.ts'
import type { Platform } from '../../platform/platform.ts'

/** Between two tries; the last one repeats. */
const pausesMs = [seconds(5), seconds(15), seconds(60)]
/** No code lives longer. */
const mostMs = minutes(10)

interface Delivery {
  mail: Omit<Mail, 'kind' | 'isRepeated'>
  /** The request that asked for the code. */
  requestId?: string | undefined
  /** Whether the code still works: it is neither used, nor replaced, nor too old. */
  isLive(): Promise<boolean>
  /** Called once, when the code could not be mailed at first. */
  onLate?(): Promise<void>
}

/**
 * Mails a code, and tries again for as long as it lives. Only this process knows it: what is stored is a hash. Whether the
 * mail server took it. A mail that it refused for good or may have taken is not tried again.
 */
export async function deliverCode(
  { mailer, log, clock }: Pick<Platform, 'mailer' | 'log' | 'clock'>,
  { mail, requestId, isLive, onLate }: Delivery,
  pauses: readonly number[] = pausesMs,
): Promise<boolean> {
  const until = after(clock.now(), mostMs)
  // The database may be away for a moment: the code lives on.
  const heard = <T>(asked: Promise<T>, otherwise: T) =>
    asked.catch((err: unknown) => {
      log.warn({ err, requestId }, 'a fault of ours while a code is mailed; it is tried again')
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
    const message = isOver ? 'a code could not be mailed' : 'a code could not be mailed yet; it is tried again'
    log.error({ err: error, requestId }, message)
    const isOurs = !isUncertain(error) && meaningOf(error) !== 'gone'
    if (tries === 0 && isOurs && onLate) await heard(onLate(), undefined)
    if (isOver) return false
    await sleep(pauses[Math.min(tries, pauses.length - 1)], undefined, { ref: false })
    if (clock.now() >= until || !(await heard(isLive(), true))) return false
  }
}
