import type { Claim } from '@duet/contract/claims.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../../../platform/call.ts'
import { problemCode } from '../../../platform/problem.ts'
import { type CaseKind, casesKey } from './cases.api.ts'

/** A case is claimed after it has been open for this many milliseconds, so that skipping past it doesn't claim it. */
const settleMs = 400
const renewMs = 4 * 60_000

export type ClaimState = 'asking' | 'mine' | 'taken' | 'failed'

// Failures are ignored, because the case may have been decided in the meantime.
function giveBack(kind: CaseKind, id: string): void {
  void call('DELETE /api/admin/claims/:kind/:id', { params: { kind, id } }).catch(() => undefined)
}

/**
 * Claims the open case, renews the claim while the case stays open, and then releases it. Doesn't claim a case if
 * `isDecided`.
 */
export function useClaim(kind: CaseKind, id: string, on: boolean, isDecided = false) {
  const decided = useRef(isDecided)
  decided.current = isDecided
  const queryClient = useQueryClient()
  const [state, setState] = useState<ClaimState>('asking')
  const [claim, setClaim] = useState<Claim | null>(null)
  const isMine = useRef(false)
  const isOpen = useRef(false)
  const take = useCallback(async () => {
    try {
      const taken = await call('PUT /api/admin/claims/:kind/:id', { params: { kind, id } })
      // The moderator left the case before the response arrived, so release it for others.
      if (!isOpen.current) return giveBack(kind, id)
      setClaim(taken)
      isMine.current = true
      setState('mine')
    } catch (error) {
      isMine.current = false
      setState(problemCode(error) === 'conflict' ? 'taken' : 'failed')
      await queryClient.invalidateQueries({ queryKey: casesKey(kind) })
    }
  }, [kind, id, queryClient])
  useEffect(() => {
    if (!on) return
    isOpen.current = true
    const first = setTimeout(() => !decided.current && void take(), settleMs)
    const renewal = setInterval(() => isMine.current && void take(), renewMs)
    return () => {
      clearTimeout(first)
      clearInterval(renewal)
      isOpen.current = false
      if (!isMine.current) return
      isMine.current = false
      giveBack(kind, id)
    }
  }, [on, kind, id, take])
  return { state, claim, take }
}
