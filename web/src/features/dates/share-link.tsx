import { Check, Copy, Share2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../platform/copy-text.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'

const canShare = () => typeof navigator.share === 'function'

interface ShareLinkProps {
  url: string
  /** Avoids a filled button on screens where sharing the link isn't the main action. */
  quiet?: boolean
  children?: ReactNode
}

export function ShareLink({ url, quiet, children }: ShareLinkProps) {
  const { t } = useTranslation('dates')
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await copyText(url)
      setCopied(true)
    } catch {
      toast.error(t('copyFailed'))
    }
  }
  // `share` rejects if the person closes the share sheet; ignore that.
  const share = () => navigator.share({ title: t('shareTitle'), url }).catch(() => undefined)
  const done = copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />
  return (
    <div className="grid gap-3">
      <p
        dir="ltr"
        className="rounded-m bg-sunken px-4 py-3 text-start text-s leading-relaxed break-all text-ink-2 select-all"
      >
        {url}
      </p>
      <div className="flex flex-wrap gap-x-2 gap-y-1.5">
        <Button variant={quiet || canShare() ? 'quiet' : 'primary'} icon={done} onClick={() => void copy()}>
          {copied ? t('copied') : t('copy')}
        </Button>
        {canShare() && (
          <Button
            variant={quiet ? 'quiet' : 'primary'}
            icon={<Share2 aria-hidden="true" />}
            onClick={() => void share()}
          >
            {t('share')}
          </Button>
        )}
        {children}
      </div>
      <p role="status" className="sr-only">
        {copied ? t('copied') : ''}
      </p>
    </div>
  )
}
