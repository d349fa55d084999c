import { setTimeout as sleep } from 'node:timers/promises'
import { seconds } from '../../platform/clock.ts'
import { isUncertain, type Mail, meaningOf } from '../../platform/mailer.ts'
import type { Platform } from '../../platform/platform.ts'

/** Between two tries; the last one repeats. */
const pausesMs = [seconds(5), seconds(15), seconds(60)]

interface Delivery {
  mail: Omit<Mail, 'kind'>
  /** The request that asked for the code. */
  requestId?: string | undefined
  /** Whether the code still works: it is neither used, nor replaced, nor too old. */
  isLive(): Promise<boolean>
  /** Called once, when the code could not be mailed at first. */
  onLate?(): Promise<void>
}

/**
 * Mails a code, and tries again for as long as it lives. Only this process knows it: what is stored is a hash. Whether the
 * mail server took it. Not tried again is a mailbox that is gone, and a mail that may have been taken.
 */
export async function deliverCode(
  { mailer, log }: Pick<Platform, 'mailer' | 'log'>,
  { mail, requestId, isLive, onLate }: Delivery,
  pauses: readonly number[] = pausesMs,
): Promise<boolean> {
  for (let tries = 0; ; tries++) {
    const failed = await mailer.send({ kind: 'code', ...mail }).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    if (!failed) return true
    const isOver = isUncertain(failed.error) || meaningOf(failed.error) === 'gone'
    const message = isOver ? 'a code could not be mailed' : 'a code could not be mailed yet; it is tried again'
    log.error({ err: failed.error, requestId }, message)
    if (isOver) return false
    if (tries === 0) await onLate?.()
    await sleep(pauses[Math.min(tries, pauses.length - 1)], undefined, { ref: false })
    if (!(await isLive())) return false
  }
}
