import { useEffect, useState } from 'react'
import { useSession } from '../../platform/session.ts'

/** How long the first connection, and a reconnection, may take before the person is told, in milliseconds. */
const patience = { connecting: 4_000, reconnecting: 2_000 }

/** The state of the live connection once it has been missing for longer than `patience`; otherwise undefined. */
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
