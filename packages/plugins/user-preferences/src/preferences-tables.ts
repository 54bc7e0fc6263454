import type { Host } from '@sibyl/plugin'
import type { Migrations } from '@sibyl/plugin/storage'

/** Table of the plugin: one row for each user with preferences. */
export interface PreferencesTables {
  user_preferences_people: {
    did: string
    language: string | null
    units: string | null
    tone: string | null
    time_zone: string | null
    name: string | null
  }
}

export type PreferencesStorage = Host<unknown, PreferencesTables>['storage']

export const preferencesMigrations: Migrations = {
  '0001-people': async (db, { text }) => {
    await db.schema
      .createTable('user_preferences_people')
      .addColumn('did', text, column => column.primaryKey())
      .addColumn('language', text)
      .addColumn('units', text)
      .addColumn('tone', text)
      .addColumn('time_zone', text)
      .addColumn('name', text)
      .execute()
  },
}
