import { defineToolFailures, eachRow, type PersonNames } from '@sibyl/plugin'
import type { ServiceOf, userPreferences } from '@sibyl/protocol'
import type { z } from 'zod'
import { type CheckedPatch, pluginPatch, preferencesPatch } from './preferences/preference-fields.ts'
import type { Preferences } from './preferences/preferences.ts'
import type { PreferencesStorage, PreferencesTables } from './preferences-tables.ts'

const preferencesErrors = defineToolFailures({
  preferences_invalid: {
    status: 400,
    message: 'No preference was changed: {problems}.',
    summary: 'A change has an invalid preference; `issues` lists each problem with its path.',
  },
})

/** Creates the error of a change with an invalid preference. */
const invalid = ({ issues }: Pick<z.ZodError, 'issues'>) => {
  const violations = issues.flatMap(issue =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map(key => ({ path: `/${key.slice(0, 60)}`, message: 'is not a preference' }))
      : [{ path: `/${issue.path.join('/')}`, message: issue.message }],
  )
  const words = violations.map(({ path, message }) => `${path.slice(1)} ${message}`).join('; ')
  return preferencesErrors.preferences_invalid({ problems: words }, { issues: violations })
}

type Row = PreferencesTables['user_preferences_people']
type Values = Omit<Row, 'did'>

/** Preferences of users, in the app's database. */
export interface PreferencesStore extends ServiceOf<typeof userPreferences> {
  /**
   * Changes preferences as `set` does, for a user, who may only choose languages that have names. Returns the
   * preferences after the change.
   *
   * @param patch A `PreferencesPatch`; it is validated here.
   * @throws `preferences_invalid`
   */
  change(did: string, patch: unknown): Promise<Preferences>
  /** Deletes all preferences of a user. */
  erase(did: string): Promise<void>
  readonly names: PersonNames
}

/**
 * Creates the store. A change is one statement on the columns that it names, so that concurrent changes, also of two
 * processes, both take effect.
 */
export const createPreferencesStore = (storage: PreferencesStorage): PreferencesStore => {
  const keep = async (did: string, patch: unknown, schema: typeof preferencesPatch): Promise<Preferences> => {
    const checked = schema.safeParse(patch)
    if (!checked.success) throw invalid(checked.error)
    const values = valuesOf(checked.data)
    if (Object.keys(values).length === 0) return store.get(did)
    const drops = Object.values(values).includes(null)
    return storage.write(
      async tx => {
        const row = await tx
          .insertInto('user_preferences_people')
          .values({ did, ...values })
          .onConflict(conflict => conflict.column('did').doUpdateSet(values))
          .returningAll()
          .executeTakeFirstOrThrow()
        const preferences = preferencesOf(row)
        if (Object.keys(preferences).length === 0) {
          await tx.deleteFrom('user_preferences_people').where('did', '=', did).execute()
        }
        return preferences
      },
      { scrub: drops },
    )
  }
  const named = () =>
    storage.read
      .selectFrom('user_preferences_people')
      .select(['did', 'name'])
      .where('name', 'is not', null)
      .$narrowType<{ name: string }>()
  const store: PreferencesStore = {
    async get(did) {
      const row = await storage.read
        .selectFrom('user_preferences_people')
        .selectAll()
        .where('did', '=', did)
        .executeTakeFirst()
      return row ? preferencesOf(row) : {}
    },
    async set(did, patch) {
      await keep(did, patch, pluginPatch)
    },
    change: (did, patch) => keep(did, patch, preferencesPatch),
    async erase(did) {
      await storage.write(tx => tx.deleteFrom('user_preferences_people').where('did', '=', did).execute(), {
        scrub: true,
      })
    },
    names: {
      chosenBy: 'person',
      of: async dids => new Map((await named().where('did', 'in', dids).execute()).map(({ did, name }) => [did, name])),
      all: () =>
        eachRow(last =>
          named()
            .where('did', '>', last?.did ?? '')
            .orderBy('did')
            .limit(500)
            .execute(),
        ),
    },
  }
  return store
}

/** Returns the columns of a change. */
const valuesOf = ({ timeZone, ...rest }: CheckedPatch): Partial<Values> =>
  Object.fromEntries(Object.entries({ ...rest, time_zone: timeZone }).filter(([, value]) => value !== undefined))

const preferencesOf = ({ language, units, tone, time_zone, name }: Row): Preferences => ({
  ...(language === null ? {} : { language }),
  ...(units === 'metric' || units === 'imperial' ? { units } : {}),
  ...(tone === null ? {} : { tone }),
  ...(time_zone === null ? {} : { timeZone: time_zone }),
  ...(name === null ? {} : { name }),
})
