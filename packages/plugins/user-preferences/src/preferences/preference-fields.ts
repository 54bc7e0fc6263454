import { z } from 'zod'
import { canonicalLanguage, maxLanguageTag, namelessPart } from './language-tag.ts'

/** Longest tone, in characters. */
const maxTone = 100
/** Longest name, in characters. */
export const maxName = 60
const maxTimeZone = 60

/** Characters that are invisible or end a line, except those that join letters and emoji. */
const unseen = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/u
const seen = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Returns the schema of one line of a user's text, in Unicode form NFC. */
const line = (max: number) =>
  z
    .string()
    .refine(text => text.length <= 10 * max, { error: `must have at most ${max} characters`, abort: true })
    .refine(text => !unseen.test(text), { error: 'must be one line of visible characters', abort: true })
    .overwrite(text => text.normalize('NFC').replace(/\s+/gu, ' ').trim())
    .refine(text => seen.test(text), { error: 'is empty; use null to remove it', abort: true })
    .refine(text => [...text].length <= max, `must have at most ${max} characters`)

/** Returns the Intl name of a time zone; undefined for an unknown zone and for a bare offset. */
const canonicalTimeZone = (text: string): string | undefined => {
  if (text.length > maxTimeZone || !/^[a-z]/i.test(text)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Schema of a stored language. Plugins may use one that has no name here, such as that of an operator's own menus. */
const anyLanguage = z
  .string()
  .refine(text => canonicalLanguage(text) !== undefined, {
    error: 'is not a language; use a tag (BCP 47) such as sw or pt-BR',
    abort: true,
  })
  .overwrite(text => canonicalLanguage(text) ?? text)
  .meta({ description: 'Their language: a tag (BCP 47)', example: 'sw', maxLength: maxLanguageTag })

/** Schema of a language that users set: one that has a name. */
const language = anyLanguage
  .superRefine((tag, context) => {
    const part = namelessPart(tag)
    if (part === undefined) return
    const message = `contains the unknown part "${part}"; use a tag such as sw, toi or pt-BR`
    context.addIssue({ code: 'custom', message })
  })
  .meta({
    description: 'Their language: a tag (BCP 47) whose parts have names',
    example: 'sw',
    maxLength: maxLanguageTag,
  })

const units = z.enum(['metric', 'imperial']).meta({ description: '`imperial`: Fahrenheit, miles, pounds' })

const tone = line(maxTone).meta({
  description: 'Their preferred tone, on one line',
  example: 'short and plain',
  maxLength: maxTone,
})

const timeZone = z
  .string()
  .refine(text => canonicalTimeZone(text) !== undefined, 'is not a time zone; use an IANA name such as Africa/Lusaka')
  .overwrite(text => canonicalTimeZone(text) ?? text)
  .meta({
    description: 'Their time zone: an IANA name',
    example: 'Africa/Lusaka',
    maxLength: maxTimeZone,
  })

const name = line(maxName).meta({
  description: 'Their preferred name, on one line',
  example: 'Chanda',
  maxLength: maxName,
})

/** Preferences of a user. */
export const preferencesRecord = z
  .object({ language: anyLanguage, units, tone, timeZone, name })
  .partial()
  .meta({ description: "The user's preferences; those that were never set are missing" })

/** A change of preferences (RFC 7396): null removes a member, a missing one stays, and unknown ones are rejected. */
export const preferencesPatch = z.strictObject({
  language: language.nullable().optional(),
  units: units.nullable().optional(),
  tone: tone.nullable().optional(),
  timeZone: timeZone.nullable().optional(),
  name: name.nullable().optional(),
})

/** A change by a plugin: like `preferencesPatch`, with languages that need no name. */
export const pluginPatch = preferencesPatch.extend({ language: anyLanguage.nullable().optional() })

/** A change with values in their stored form. */
export type CheckedPatch = z.output<typeof preferencesPatch>
