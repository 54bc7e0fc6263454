import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** Formats numbers and times in the language of the user. */
export interface Format {
  /** `1,234.5` */
  number(value: number): string
  /** `0.000125`: credits can be small. */
  credits(value: number): string
  /** `1.2K` */
  short(value: number): string
  /** `12%`, from 0.12. */
  percent(value: number): string
  /** `120 ms`, `1.2 s`, `3 min`, from milliseconds. */
  duration(milliseconds: number): string
  /** `120 byte`, `12 kB`, `120 MB` */
  bytes(value: number): string
  /** `14:05:09`, from milliseconds since 1970. */
  time(at: number): string
  /** `28/11/2026, 14:05:09` */
  dateTime(at: number): string
}

/** Returns the formats of the current language. */
export const useFormat = (): Format => {
  const { i18n } = useTranslation()
  const { language } = i18n
  return useMemo(() => {
    const of = (options: Intl.NumberFormatOptions) => {
      const format = new Intl.NumberFormat(language, options)
      return (value: number) => format.format(value)
    }
    const dates = (options: Intl.DateTimeFormatOptions) => {
      const format = new Intl.DateTimeFormat(language, options)
      return (at: number) => format.format(at)
    }
    const unit = (name: string, maximumFractionDigits = 1) =>
      of({ style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits })
    const [ms, seconds, minutes, hours, days] = [
      unit('millisecond', 0),
      unit('second'),
      unit('minute'),
      unit('hour'),
      unit('day'),
    ]
    const bytes = unit('byte', 0)
    const kilobytes = unit('kilobyte', 0)
    const megabytes = unit('megabyte', 0)
    const gigabytes = unit('gigabyte')
    return {
      number: of({ maximumFractionDigits: 3 }),
      credits: of({ maximumFractionDigits: 6 }),
      time: dates({ timeStyle: 'medium', hour12: false } as const),
      dateTime: dates({ dateStyle: 'short', timeStyle: 'medium' }),
      short: of({ notation: 'compact', maximumFractionDigits: 1 }),
      percent: of({ style: 'percent', maximumFractionDigits: 1 }),
      duration(value) {
        if (value < 1_000) return ms(value)
        if (value < 60_000) return seconds(value / 1_000)
        if (value < 3_600_000) return minutes(value / 60_000)
        return value < 172_800_000 ? hours(value / 3_600_000) : days(value / 86_400_000)
      },
      bytes(value) {
        if (value < 1e3) return bytes(value)
        if (value < 1e6) return kilobytes(value / 1e3)
        return value < 1e9 ? megabytes(value / 1e6) : gigabytes(value / 1e9)
      },
    }
  }, [language])
}
