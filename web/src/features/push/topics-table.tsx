import {
  inAppTopics,
  type MailTime,
  mailTimes,
  type NotificationTopic,
  notificationTopics,
} from '@duet/contract/limits.ts'
import type { NotificationPreferences } from '@duet/contract/notifications.ts'
import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/card.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import type { PreferenceChanges } from './push.api.ts'

const columns = '@min-[540px]:grid @min-[540px]:grid-cols-[minmax(0,1fr)_5.5rem_5.5rem_10rem] @min-[540px]:gap-x-4'
const cell = 'flex min-h-11 items-center justify-between gap-4 @min-[540px]:justify-center @min-[540px]:gap-0!'

interface TopicsTableProps {
  preferences: NotificationPreferences
  onChange: (changes: PreferenceChanges) => void
}

/** In a narrow window, each control has a visible label of its own. */
export function TopicsTable({ preferences, onChange }: TopicsTableProps) {
  const { t } = useTranslation('push')
  return (
    <Card className="py-1.5!">
      <div className="@container divide-y divide-line">
        <div aria-hidden="true" className={`hidden py-3 text-s font-medium text-ink-2 ${columns}`}>
          <span />
          <span className="text-center">{t('channels.inApp')}</span>
          <span className="text-center">{t('channels.push')}</span>
          <span className="ps-4">{t('channels.email')}</span>
        </div>
        {notificationTopics.map((topic) => (
          <TopicRow key={topic} {...{ topic, preferences, onChange }} />
        ))}
      </div>
    </Card>
  )
}

const isChosenInApp = (topic: NotificationTopic): topic is (typeof inAppTopics)[number] =>
  (inAppTopics as readonly string[]).includes(topic)

function TopicRow({
  topic,
  preferences: { inApp, push, email },
  onChange,
}: TopicsTableProps & { topic: NotificationTopic }) {
  const { t } = useTranslation('push')
  const column = (name: 'inApp' | 'push') => <span className="text-s @min-[540px]:hidden">{t(`channels.${name}`)}</span>
  return (
    <fieldset className="py-4">
      <legend className="sr-only">{t(`topics.${topic}.label`)}</legend>
      <div className={`items-center ${columns}`}>
        <p aria-hidden="true" className="mb-1.5 @min-[540px]:mb-0">
          <span className="block font-medium">{t(`topics.${topic}.label`)}</span>
          <span className="block text-s text-pretty text-ink-2">{t(`topics.${topic}.hint`)}</span>
        </p>
        {isChosenInApp(topic) ? (
          <Switch
            id={`in-app-${topic}`}
            label={column('inApp')}
            aria-label={t('channels.inApp')}
            // An older server doesn't send `inApp`.
            checked={inApp?.[topic] ?? true}
            onChange={(on) => onChange({ inApp: { [topic]: on } })}
            className={`py-0! ${cell}`}
          />
        ) : (
          <p className={`text-s text-ink-2 ${cell}`}>
            <span className="font-medium text-ink @min-[540px]:sr-only">{t('channels.inApp')}</span>
            {t('channels.always')}
          </p>
        )}
        <Switch
          id={`push-${topic}`}
          label={column('push')}
          aria-label={t('channels.push')}
          checked={push[topic] ?? false}
          onChange={(on) => onChange({ push: { [topic]: on } })}
          className={`py-0! ${cell}`}
        />
        <div className="mt-1 flex min-h-11 items-center justify-between gap-4 @min-[540px]:mt-0">
          <span aria-hidden="true" className="text-s font-medium @min-[540px]:hidden">
            {t('channels.email')}
          </span>
          {topic === 'safety' ? (
            <p className="text-s text-ink-2 @min-[540px]:ps-4">
              <span className="sr-only">{t('channels.email')}</span> {t('channels.always')}
            </p>
          ) : (
            <Select
              id={`email-${topic}`}
              label={t('channels.email')}
              hideLabel
              value={email[topic]}
              onChange={({ target }) => onChange({ email: { [topic]: target.value as MailTime } })}
              options={mailTimes.map((time) => ({ value: time, label: t(`email.${time}`) }))}
              frameClassName="w-40 @min-[540px]:w-full"
            />
          )}
        </div>
      </div>
    </fieldset>
  )
}
