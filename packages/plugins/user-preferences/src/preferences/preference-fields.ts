import { z } from 'zod'
import { canonicalLanguage, maxLanguageTag, namelessPart } from './language-tag.ts'

/** Longest tone, in characters. */
export const maxTone = 100
/** Longest name, in characters. */
export const maxName = 60
const maxTimeZone = 60

/** What is drawn as nothing or ends a line; not what joins letters and emoji. */
const unseen = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/u
const seen = /[\p{L}\p{N}\p{P}\p{S}]/u

/** One line of words of a person, in Unicode form NFC. */
const line = (most: number) =>
  z
    .string()
    .refine(text => text.length <= 10 * most, { error: `may have ${most} characters`, abort: true })
    .refine(text => !unseen.test(text), { error: 'must be one line of visible characters', abort: true })
    .overwrite(text => text.normalize('NFC').replace(/\s+/gu, ' ').trim())
    .refine(text => seen.test(text), { error: 'has nothing in it; null drops it', abort: true })
    .refine(text => [...text].length <= most, `may have ${most} characters`)

/** The name of a time zone as Intl has it; undefined for what is none, and for a bare offset. */
const canonicalTimeZone = (text: string): string | undefined => {
  if (text.length > maxTimeZone || !/^[a-z]/i.test(text)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** A language as it is kept: a plugin may speak one that has no name here, such as that of an operator's own menus. */
const anyLanguage = z
  .string()
  .refine(text => canonicalLanguage(text) !== undefined, {
    error: 'is no language; a tag (BCP 47) is, such as sw or pt-BR',
    abort: true,
  })
  .overwrite(text => canonicalLanguage(text) ?? text)
  .meta({ description: 'The language they read: a tag (BCP 47)', example: 'sw', maxLength: maxLanguageTag })

/** A language as people set it: one that has a name. */
const language = anyLanguage
  .superRefine((tag, context) => {
    const part = namelessPart(tag)
    if (part === undefined) return
    const message = `has "${part}" in it, which names nothing known; sw, toi and pt-BR are tags that do`
    context.addIssue({ code: 'custom', message })
  })
  .meta({
    description: 'The language they read: a tag (BCP 47) whose parts have names',
    example: 'sw',
    maxLength: maxLanguageTag,
  })

const units = z.enum(['metric', 'imperial']).meta({ description: '`imperial`: Fahrenheit, miles, pounds' })

const tone = line(maxTone).meta({
  description: 'How they want to be spoken to, on one line',
  example: 'short and plain',
  maxLength: maxTone,
})

const timeZone = z
  .string()
  .refine(text => canonicalTimeZone(text) !== undefined, 'is no time zone; an IANA name is, such as Africa/Lusaka')
  .overwrite(text => canonicalTimeZone(text) ?? text)
  .meta({
    description: 'The time zone they live in, by its IANA name',
    example: 'Africa/Lusaka',
    maxLength: maxTimeZone,
  })

const name = line(maxName).meta({
  description: 'What they want to be called, on one line',
  example: 'Chanda',
  maxLength: maxName,
})

/** What a person prefers, as it is shown. */
export const preferencesRecord = z
  .object({ language: anyLanguage, units, tone, timeZone, name })
  .partial()
  .meta({ description: 'What the person prefers; what is missing was never said' })

/** A change of preferences (RFC 7396): null drops, what is missing stays, and names that are none are refused. */
export const preferencesPatch = z.strictObject({
  language: language.nullable().optional(),
  units: units.nullable().optional(),
  tone: tone.nullable().optional(),
  timeZone: timeZone.nullable().optional(),
  name: name.nullable().optional(),
})

/** A change that a plugin makes: as `preferencesPatch`, with languages that need no name. */
export const pluginPatch = preferencesPatch.extend({ language: anyLanguage.nullable().optional() })

/** A change whose values are in the form in which they are kept. */
export type CheckedPatch = z.output<typeof preferencesPatch>
