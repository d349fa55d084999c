import { Eye, EyeOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { problemCode } from '../../platform/problem.ts'
import { classNames } from '../../ui/class-names.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { useSelfie } from './verification.api.ts'

interface ReviewSelfieProps {
  id: string
  name: string
  looking: boolean
  onLook: (looking: boolean) => void
}

/** The selfie is fetched only when the reviewer presses the button; pressing again hides it. */
export function ReviewSelfie({ id, name, looking, onLook }: ReviewSelfieProps) {
  const { t } = useTranslation('verification')
  const Icon = looking ? EyeOff : Eye
  return (
    <button
      type="button"
      aria-keyshortcuts="L"
      aria-pressed={looking}
      aria-label={t('admin.look', { name })}
      onClick={() => onLook(!looking)}
      className="relative grid aspect-3/4 place-items-center overflow-hidden rounded-m bg-sunken text-ink-2 transition hover:text-ink"
    >
      {looking && <Picture id={id} name={name} />}
      <span
        className={classNames(
          'flex h-11 items-center justify-center gap-2 rounded-full bg-surface font-[620] text-ink shadow-one',
          looking ? 'absolute end-2 top-2 w-11' : 'px-3.5 text-s sm:px-4',
        )}
      >
        <Icon aria-hidden="true" className={looking ? undefined : 'size-5!'} />
        {!looking && t('admin.selfieHidden')}
      </span>
    </button>
  )
}

/** Unmounting the picture removes the selfie from memory. */
function Picture({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('verification')
  const { data, error } = useSelfie(id)
  if (error) {
    const key = problemCode(error) === 'conflict' ? 'taken' : 'lookFailed'
    return <span className="p-3 text-center text-s">{t(`admin.${key}`)}</span>
  }
  if (!data) return <Spinner />
  return <img src={data.selfie} alt={t('admin.selfie', { name })} className="size-full object-contain" />
}
