import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'
import { type ReportRequest, useReportStore } from './report-store.ts'

const ReportDialog = lazily(async () => ({ default: (await import('./report-dialog.tsx')).ReportDialog }))
/** What I have reported; in the settings. */
export const OwnReports = lazily(async () => ({ default: (await import('./own-reports.tsx')).OwnReports }))
/** What was copied for a report; for administrators. */
export const EvidenceView = lazily(async () => ({ default: (await import('./evidence-view.tsx')).EvidenceView }))

export { PhotoMenu } from './photo-menu.tsx'

/** Returns a function that opens the report of a person, a photo or a message. */
export function useReport(): (request: ReportRequest) => void {
  return useReportStore((state) => state.ask)
}

/** Where the report dialog is drawn, once in the page. Loaded with the first report. */
export function ReportHost() {
  const { asked, open, close, forget } = useReportStore()
  if (!asked) return null
  return (
    <Extra onFail={forget}>
      <ReportDialog {...asked} open={open} onClose={close} />
    </Extra>
  )
}
