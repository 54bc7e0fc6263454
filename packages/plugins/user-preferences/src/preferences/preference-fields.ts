import { z } from 'zod'
import { canonicalLanguage, maxLanguageTag } from './language-tag.ts'

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

const language = z
  .string()
  .refine(text => canonicalLanguage(text) !== undefined, 'is no language; a tag (BCP 47) is, such as sw or pt-BR')
  .overwrite(text => canonicalLanguage(text) ?? text)
  .meta({ description: 'The language they read: a tag (BCP 47)', example: 'sw', maxLength: maxLanguageTag })

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
  .object({ language, units, tone, timeZone, name })
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

/** A change whose values are in the form in which they are kept. */
export type CheckedPatch = z.output<typeof preferencesPatch>
