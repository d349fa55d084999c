import { useEffect, useState } from 'react'
import { useSession } from '../../platform/session.ts'

/** How long connecting and reconnecting may take before the person is notified, in milliseconds. */
const patience = { connecting: 4_000, reconnecting: 2_000 }

/** Returns the connection's state if it has been down for longer than `patience`, otherwise undefined. */
export function useConnectionLost(): keyof typeof patience | undefined {
  const status = useSession(({ socketStatus }) => (socketStatus === 'off' ? 'connecting' : socketStatus))
  const lacking = status === 'connected' ? undefined : status
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!lacking) return setLong(false)
    const timer = setTimeout(() => setLong(true), patience[lacking])
    return () => clearTimeout(timer)
  }, [lacking])
  return isLong ? lacking : undefined
}
