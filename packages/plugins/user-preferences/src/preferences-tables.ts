import { column, createTables, defineTable, type Host, type TablesOf } from '@sibyl/plugin'

const preferencesPeople = defineTable('user_preferences_people', {
  did: column.text().primaryKey(),
  language: column.text().nullable(),
  units: column.text().nullable(),
  tone: column.text().nullable(),
  time_zone: column.text().nullable(),
  name: column.text().nullable(),
})

const preferencesTables = [preferencesPeople] as const

/** Tables of the plugin. Times are milliseconds since 1970. */
export type PreferencesTables = TablesOf<typeof preferencesTables>

export const preferencesMigrations = { '0100-base': createTables(preferencesTables) }

export type PreferencesStorage = Host<unknown, PreferencesTables>['storage']
