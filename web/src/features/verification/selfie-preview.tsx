import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

export function SelfiePreview({ selfie }: { selfie: Blob }) {
  const { t } = useTranslation('verification')
  const [url, setUrl] = useState('')
  useEffect(() => {
    const made = URL.createObjectURL(selfie)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [selfie])
  return (
    <div className="aspect-3/4 overflow-hidden rounded-m bg-sunken">
      {url && <img src={url} alt={t('camera.picked')} className="size-full object-cover" />}
    </div>
  )
}
