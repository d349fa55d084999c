import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'
import { type ReportRequest, useReportStore } from './report-store.ts'

const ReportDialog = lazily(async () => ({ default: (await import('./report-dialog.tsx')).ReportDialog }))
export const OwnReports = lazily(async () => ({ default: (await import('./own-reports.tsx')).OwnReports }))
export const EvidenceView = lazily(async () => ({ default: (await import('./evidence-view.tsx')).EvidenceView }))

export { PhotoMenu } from './photo-menu.tsx'

export function useReport(): (request: ReportRequest) => void {
  return useReportStore((state) => state.ask)
}

export function ReportHost() {
  const { asked, open, close, forget } = useReportStore()
  if (!asked) return null
  return (
    <Extra onFail={forget}>
      <ReportDialog {...asked} open={open} onClose={close} />
    </Extra>
  )
}
