import { useTranslation } from 'react-i18next'

/** `percent` takes a share from 0 to 1. */
export function useNumbers() {
  const { i18n } = useTranslation()
  const format = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(i18n.language, options)
  const whole = format({ maximumFractionDigits: 0 })
  const decimal = format({ minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const fine = format({ minimumFractionDigits: 3, maximumFractionDigits: 3 })
  const percent = format({ style: 'percent', maximumFractionDigits: 0 })
  const finePercent = format({ style: 'percent', maximumFractionDigits: 1 })
  return {
    whole: (value: number) => whole.format(value),
    decimal: (value: number) => decimal.format(value),
    fine: (value: number) => fine.format(value),
    // Rounding a share near 0 or 100 % to a whole percentage would mislead.
    percent: (share: number) =>
      (share > 0 && share < 0.05) || (share < 1 && share > 0.95) ? finePercent.format(share) : percent.format(share),
  }
}
