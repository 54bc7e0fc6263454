import type { TaskRecord } from '@sibyl/plugin-tasks/records'
import cronstrue from 'cronstrue'
import 'cronstrue/locales/fr'
import 'cronstrue/locales/sw'
import { useTranslation } from 'react-i18next'

/** When a task runs: `at` of a one-time task or `cron` of a recurring one, and `when` as English text. */
type TaskSchedule = Pick<TaskRecord, 'when' | 'at' | 'cron' | 'timeZone'>

/** Returns a function that describes schedules in the language of the user. */
export const useScheduleText = (): ((schedule: TaskSchedule) => string) => {
  const { t, i18n } = useTranslation('operations')
  const locale = i18n.language
  return ({ when, at, cron, timeZone }) => {
    if (at !== undefined) {
      const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
      return t('tasks.once', { time: format.format(new Date(at)) })
    }
    try {
      return cronstrue.toString(cron ?? '', { locale, use24HourTimeFormat: true, verbose: true })
    } catch {
      // A pattern that only the oracle understands.
      return when
    }
  }
}
