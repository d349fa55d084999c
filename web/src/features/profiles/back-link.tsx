import { ArrowLeft } from 'lucide-react'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useAddress } from '../../platform/address/address.tsx'

interface BackLinkProps {
  to: string
}

export function BackLink({ to }: BackLinkProps) {
  const { t } = useTranslation('ui')
  const { depth } = useAddress()
  const back = (event: MouseEvent) => {
    if (depth === 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    window.history.back()
  }
  return (
    <Link
      to={to}
      onClick={back}
      className="-ms-3 inline-flex h-11 w-fit items-center gap-2 rounded-full ps-3 pe-4 text-[15px] font-[620] text-ink-2 transition hover:bg-sunken hover:text-ink"
    >
      <ArrowLeft aria-hidden="true" className="mirror size-5!" />
      {t('back')}
    </Link>
  )
}
