import { useEffect, useState } from 'react'
import { useSession } from '../../platform/session.ts'

const patience = 2_000

/** Whether the live connection has been gone for longer than a blink. */
export function useConnectionLost(): boolean {
  const isBroken = useSession((state) => state.socketStatus === 'reconnecting')
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isBroken) return setLong(false)
    const timer = setTimeout(() => setLong(true), patience)
    return () => clearTimeout(timer)
  }, [isBroken])
  return isBroken && isLong
}
