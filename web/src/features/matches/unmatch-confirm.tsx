import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'
import type { UnmatchConfirmProps } from './ask-unmatch.tsx'

const AskUnmatch = lazily(() => import('./ask-unmatch.tsx'))

/** Mounts the dialog only when it opens, so that its code and texts load on demand. */
export function UnmatchConfirm(props: UnmatchConfirmProps) {
  return props.open ? (
    <Extra onFail={() => props.onOpenChange(false)}>
      <AskUnmatch {...props} />
    </Extra>
  ) : null
}
