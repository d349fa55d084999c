import { lazy, Suspense } from 'react'
import { type ReportRequest, useReportStore } from './report-store.ts'

const ReportDialog = lazy(async () => ({ default: (await import('./report-dialog.tsx')).ReportDialog }))
/** What I have reported; in the settings. */
export const OwnReports = lazy(async () => ({ default: (await import('./own-reports.tsx')).OwnReports }))
/** What was copied for a report; for administrators. */
export const EvidenceView = lazy(async () => ({ default: (await import('./evidence-view.tsx')).EvidenceView }))

export { PhotoMenu } from './photo-menu.tsx'

/** Returns a function that opens the report of a person, a photo or a message. */
export function useReport(): (request: ReportRequest) => void {
  return useReportStore((state) => state.ask)
}

/** Where the report dialog is drawn, once in the page. Loaded with the first report. */
export function ReportHost() {
  const { asked, open, close } = useReportStore()
  if (!asked) return null
  return (
    <Suspense fallback={null}>
      <ReportDialog {...asked} open={open} onClose={close} />
    </Suspense>
  )
}
