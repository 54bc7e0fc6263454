import { definePlugin, type EnvSchema, personalAbility, provide } from '@sibyl/plugin'
import { userPreferences as preferencesService } from '@sibyl/protocol'
import { manifest } from './manifest.ts'
import { preferenceNote } from './preference-note.ts'
import { createLanguageNames } from './preferences/language-names.ts'
import { preferencesRoutes } from './preferences-routes.ts'
import { createPreferencesStore } from './preferences-store.ts'
import { type PreferencesTables, preferencesMigrations } from './preferences-tables.ts'
import { preferencesTools } from './preferences-tools.ts'

/**
 * Stores how a user wants to be addressed on every channel: language, units, tone, time zone, name.
 *
 * @example
 * await createOracleApp({ config, plugins: [userPreferences()] })
 */
export const userPreferences = () =>
  definePlugin<EnvSchema, PreferencesTables>({
    name: 'user-preferences',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    migrations: preferencesMigrations,
    setup({ storage }) {
      const store = createPreferencesStore(storage)
      const names = createLanguageNames()
      return {
        tools: preferencesTools(store, names),
        instructions: {
          ability: ['user-preferences/read', personalAbility],
          forTurn: preferenceNote(store, names),
        },
        routes: preferencesRoutes(store),
        services: [provide(preferencesService, store)],
        personalRecords: {
          async export(did) {
            const preferences = await store.get(did)
            return Object.keys(preferences).length === 0 ? undefined : { ...preferences }
          },
          erase: did => store.erase(did),
          names: store.names,
        },
      }
    },
  })
