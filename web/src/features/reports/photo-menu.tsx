import { EllipsisVertical, Flag, ImageOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { type ReportRequest, useReportStore } from './report-store.ts'

interface PhotoMenuProps {
  person: { id: string; name: string }
  fileName: string
  place: number
  onBlocked: () => void
  className?: string
}

export function PhotoMenu({ person: { id, name }, fileName, place, onBlocked, className }: PhotoMenuProps) {
  const { t } = useTranslation('common')
  const ask = useReportStore((state) => state.ask)
  const report = (subject: ReportRequest['subject']) => ask({ userId: id, name, subject, onBlocked })
  const items = [
    {
      label: t('photoMenu.photo'),
      icon: <ImageOff aria-hidden="true" />,
      onSelect: () => report({ kind: 'photo', fileName }),
    },
    {
      label: t('photoMenu.person', { name }),
      icon: <Flag aria-hidden="true" />,
      onSelect: () => report({ kind: 'profile' }),
    },
  ]
  const trigger = (
    <IconButton
      label={t('photoMenu.label', { place, name })}
      icon={<EllipsisVertical aria-hidden="true" />}
      className={classNames(
        'absolute! end-3 bg-[rgb(20_12_8/.38)] text-white! outline-white hover:bg-[rgb(20_12_8/.62)]',
        className,
      )}
    />
  )
  return <Menu trigger={trigger} items={items} />
}
