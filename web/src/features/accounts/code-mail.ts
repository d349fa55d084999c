import { useEffect, useState } from 'react'
import { call } from '../../platform/call.ts'

/** Seconds until another code may be asked for, when the server does not say. */
const defaultWait = 30

/** Mails a code and counts the seconds until another may be asked for. */
export function useCodeMail() {
  const [sentTo, setSentTo] = useState('')
  const [waitSeconds, setWaitSeconds] = useState(0)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (waitSeconds <= 0) return
    const tick = setTimeout(() => setWaitSeconds(waitSeconds - 1), 1000)
    return () => clearTimeout(tick)
  }, [waitSeconds])
  const send = async (email: string) => {
    setBusy(true)
    try {
      const { resendIn } = await call('POST /api/user/requestOtp', { body: { email: email.trim() } })
      setSentTo(email.trim())
      setWaitSeconds(resendIn || defaultWait)
    } finally {
      setBusy(false)
    }
  }
  return { send, sentTo, waitSeconds, busy }
}
