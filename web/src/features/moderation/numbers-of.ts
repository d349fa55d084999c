import { useTranslation } from 'react-i18next'
import { regional } from '../../platform/socket/region.ts'

export function useNumbersOf() {
  const { t, i18n } = useTranslation('moderation')
  const whole = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 0 })
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 })
  return {
    whole: (value: number) => whole.format(value),
    percent: (share: number) => percent.format(share),
    span: (seconds: number) => {
      if (seconds < 3_600) return t('span.minutes', { count: Math.max(1, Math.round(seconds / 60)) })
      if (seconds < 172_800) return t('span.hours', { count: Math.round(seconds / 3_600) })
      return t('span.days', { count: Math.round(seconds / 86_400) })
    },
  }
}

export function useDateFormats() {
  const { i18n } = useTranslation()
  return {
    day: (iso: string) => new Date(iso).toLocaleDateString(regional(i18n.language), { dateStyle: 'medium' }),
    moment: (iso: string) =>
      new Date(iso).toLocaleString(regional(i18n.language), { dateStyle: 'short', timeStyle: 'medium' }),
  }
}
