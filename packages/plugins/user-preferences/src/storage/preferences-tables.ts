import type { Host } from '@sibyl/plugin'

/** The plugin's table: one row for each person who prefers something. */
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
