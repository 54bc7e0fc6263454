import { useTranslation } from 'react-i18next'

/** Returns a function that shows a duration in milliseconds or seconds. */
export const useDuration = (): ((milliseconds: number) => string) => {
  const { t, i18n } = useTranslation('chat')
  const number = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 })
  return milliseconds =>
    milliseconds < 1_000
      ? t('milliseconds', { value: number.format(Math.round(milliseconds)) })
      : t('seconds', { value: number.format(milliseconds / 1_000) })
}
