import { useTranslation } from 'react-i18next'
import { Switch } from '../../../ui/form/switch.tsx'
import { Cap, keyCaps } from './key-caps.tsx'

export default function KeyList({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const { t } = useTranslation('discovery')
  return (
    <div className="grid w-76 gap-3 p-5">
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2.5 text-[15px]">
        {keyCaps.map(({ act, caps }) => (
          <div key={act} className="contents">
            <dt className="flex gap-1.5">
              {caps.map((cap) => (
                <Cap key={cap}>{cap}</Cap>
              ))}
            </dt>
            <dd>{t(`deck.${act}`)}</dd>
          </div>
        ))}
      </dl>
      <Switch label={t('keys.on')} hint={t('keys.hint')} checked={on} onChange={onChange} />
    </div>
  )
}
