import type { ReportSubject } from '@duet/contract/reports.ts'
import { create } from 'zustand'
import { whenPersonChanges } from '../../platform/session.ts'

export interface ReportRequest {
  userId: string
  name: string
  subject: ReportSubject
  isGone?: true
  /** Called when the dialog closes, if the person was also blocked. */
  onBlocked?: () => void
}

interface ReportStore {
  asked: ReportRequest | undefined
  open: boolean
  ask: (request: ReportRequest) => void
  close: () => void
  forget: () => void
}

/** The page has only one report dialog, because the menu, message or card that opened it may unmount first. */
export const useReportStore = create<ReportStore>((set) => ({
  asked: undefined,
  open: false,
  ask: (asked) => set({ asked, open: true }),
  close: () => set({ open: false }),
  forget: () => set({ asked: undefined, open: false }),
}))
whenPersonChanges(useReportStore.getState().forget)
