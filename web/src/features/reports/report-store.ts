import type { ReportSubject } from '@duet/contract/reports.ts'
import { create } from 'zustand'
import { whenPersonChanges } from '../../platform/session.ts'

export interface ReportRequest {
  userId: string
  name: string
  subject: ReportSubject
  /** I no longer see their profile. */
  isGone?: true
  /** Called when the dialog closes after they were blocked as well. */
  onBlocked?: () => void
}

interface ReportStore {
  asked: ReportRequest | undefined
  open: boolean
  ask: (request: ReportRequest) => void
  close: () => void
  forget: () => void
}

/** One dialog for the whole page, because it outlives the menu, message or card that opened it. */
export const useReportStore = create<ReportStore>((set) => ({
  asked: undefined,
  open: false,
  ask: (asked) => set({ asked, open: true }),
  close: () => set({ open: false }),
  forget: () => set({ asked: undefined, open: false }),
}))
whenPersonChanges(useReportStore.getState().forget)
