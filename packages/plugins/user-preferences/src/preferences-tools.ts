import { defineTool, personalAbility, type Tools } from '@sibyl/plugin'
import { z } from 'zod'
import type { LanguageNames } from './preferences/language-names.ts'
import { preferencesRecord } from './preferences/preference-fields.ts'
import type { Preferences } from './preferences/preferences.ts'
import type { PreferencesStore } from './preferences-store.ts'

/** Text from the model; it is validated where it is stored. */
const text = z.string().max(1_000).nullable().optional()

const output = z.object({ preferences: preferencesRecord, summary: z.string() })

/** Creates the tools for the user's own preferences. */
export const preferencesTools = (store: Pick<PreferencesStore, 'get' | 'change'>, names: LanguageNames): Tools => ({
  get_preferences: defineTool({
    description: "The user's preferences.",
    effect: 'read',
    ability: ['user-preferences/read', personalAbility],
    input: z.object({}),
    output,
    async execute(_, { turn }) {
      const preferences = await store.get(turn.actor.did)
      return { preferences, summary: inWords(preferences, names) }
    },
  }),
  set_preferences: defineTool({
    description: 'Changes how the user is addressed from now on, at their request; null removes one.',
    effect: 'write',
    repeatable: true,
    ability: ['user-preferences/write', personalAbility],
    input: z.object({
      patch: z.strictObject({
        language: text,
        units: z.enum(['metric', 'imperial']).nullable().optional(),
        tone: text,
        timeZone: text,
        name: text,
      }),
    }),
    inputSchema,
    output,
    async execute({ patch }, { turn }) {
      const { language } = patch
      const tag = typeof language === 'string' ? (names.find(language) ?? language) : language
      const preferences = await store.change(turn.actor.did, { ...patch, language: tag })
      return { preferences, summary: inWords(preferences, names) }
    },
  }),
})

const line = { type: ['string', 'null'] }

/** Input schema of `set_preferences` for the model: shorter than the generated one. */
const inputSchema = {
  type: 'object',
  properties: {
    patch: {
      type: 'object',
      properties: {
        language: { ...line, description: 'BCP 47' },
        units: { enum: ['metric', 'imperial', null] },
        tone: line,
        timeZone: { ...line, description: 'IANA' },
        name: line,
      },
    },
  },
  required: ['patch'],
}

/** Describes preferences for the user. */
const inWords = (preferences: Preferences, names: LanguageNames): string => {
  const { language, units, tone, timeZone, name } = preferences
  const reported = [
    language === undefined ? [] : `language ${names.english(language) ?? language}`,
    units === undefined ? [] : `${units} units`,
    tone === undefined ? [] : `tone “${tone}”`,
    timeZone === undefined ? [] : `time zone ${timeZone}`,
    name === undefined ? [] : `name ${name}`,
  ].flat()
  return reported.length === 0 ? 'You have not set any preferences.' : `You prefer: ${reported.join(', ')}.`
}
