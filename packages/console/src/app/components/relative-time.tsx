import { useTranslation } from 'react-i18next'

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** A time relative to now, with the full time as its title. */
export const RelativeTime = ({ value }: { readonly value: string | number }) => {
  const { i18n } = useTranslation()
  const date = new Date(value)
  const seconds = (date.getTime() - Date.now()) / 1000
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  const text = new Intl.RelativeTimeFormat(i18n.language, { numeric: 'auto', style: 'short' }).format(
    Math.round(seconds / size),
    unit,
  )
  const full = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'full', timeStyle: 'medium' }).format(date)
  return (
    <time dateTime={date.toISOString()} title={full}>
      {text}
    </time>
  )
}
