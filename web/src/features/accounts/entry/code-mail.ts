import { useEffect, useState } from 'react'
import { call } from '../../../platform/call.ts'
import { useKept } from './kept.ts'

/** Seconds until another code can be requested, if the server's response doesn't include the wait. */
const defaultWait = 30

/**
 * The newest emailed code. `to` is its address. `againAt` (when another code can be sent) and `endsAt` (when the code
 * expires) are in ms since 1970.
 */
const none = { to: '', againAt: 0, endsAt: 0 }

/** The countdown continues after a reload. */
export function useCodeMail() {
  const [sent, setSent] = useKept('codeMail', none)
  const [now, setNow] = useState(Date.now)
  const [busy, setBusy] = useState(false)
  const waitSeconds = Math.max(0, Math.ceil((sent.againAt - now) / 1000))
  useEffect(() => {
    if (sent.againAt <= now) return
    const tick = setTimeout(() => setNow(Date.now()), 1000)
    return () => clearTimeout(tick)
  }, [sent, now])
  const send = async (email: string) => {
    setBusy(true)
    try {
      const { resendIn, expiresIn } = await call('POST /api/user/requestOtp', { body: { email: email.trim() } })
      const time = Date.now()
      setNow(time)
      setSent({ to: email.trim(), againAt: time + (resendIn || defaultWait) * 1000, endsAt: time + expiresIn * 1000 })
    } finally {
      setBusy(false)
    }
  }
  return {
    send,
    sentTo: sent.to,
    waitSeconds,
    busy,
    isOut: (email: string) => sent.to === email.trim() && Date.now() < sent.endsAt,
  }
}
