import { didText } from '@sibyl/protocol'
import { z } from 'zod'
import { isCode } from './clean-value.ts'
import { onlyPoints } from './determiners.ts'
import type { JsonSchema } from './offline-catalog.ts'
import { readNumber } from './read-number.ts'
import { readableName } from './word-question.ts'

/** A kind of value, how a sentence names it, and its check. */
interface Kind {
  readonly expected: string
  fits(value: string): boolean
}

const parsedBy = (schema: z.ZodType, expected: string): Kind => ({
  expected,
  fits: value => schema.safeParse(value).success,
})

const within = (limit: number, expected: string): Kind => ({
  expected,
  fits(value) {
    const degrees = readNumber(value)
    return degrees !== undefined && Math.abs(degrees) <= limit
  },
})

const latitude = within(90, 'a latitude from -90 to 90')
const longitude = within(180, 'a longitude from -180 to 180')
const did: Kind = { expected: 'a DID', fits: value => didText.safeParse(value).success }

const dayWords =
  /\b(?:today|tomorrow|tonight|yesterday|now|noon|midnight|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:day|week|month|year)s?|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i
const isoDate = z.iso.date()
const date: Kind = {
  expected: 'a date',
  fits: value =>
    /^\d{4}-\d{1,2}-\d{1,2}$/.test(value)
      ? isoDate.safeParse(value).success
      : /^(?=.*\d)[\d\s./:,-]+$/.test(value) || dayWords.test(value),
}

/** Kinds by the last word of a placeholder. */
const byName = new Map<string, Kind>([
  ['did', did],
  ['date', date],
  ['latitude', latitude],
  ['lat', latitude],
  ['longitude', longitude],
  ['lon', longitude],
  ['lng', longitude],
])

/** Kinds by the format of a JSON Schema. */
const byFormat = new Map<string, Kind>([
  ['date', parsedBy(isoDate, 'a date such as 2026-11-21')],
  ['date-time', parsedBy(z.iso.datetime({ offset: true }), 'a date and time such as 2026-11-21T12:00:00Z')],
  ['time', parsedBy(z.iso.time(), 'a time such as 12:00:00')],
  ['duration', parsedBy(z.iso.duration(), 'a duration such as PT1H')],
  ['email', parsedBy(z.email(), 'an email address')],
  ['uri', parsedBy(z.url(), 'a URL')],
  ['uuid', parsedBy(z.guid(), 'a UUID')],
  ['ipv4', parsedBy(z.ipv4(), 'an IPv4 address')],
])

/** Placeholders whose values may look like a pronoun: the language 'my' is Burmese, 'it' is Italian. */
const codes = /language|locale|country/i

/**
 * Checks a value for a tool that writes: it is more than a pronoun or determiner, and of the kind that the schema's
 * format or the placeholder's name asks for.
 *
 * @returns What is wrong; undefined where nothing is.
 */
export const kindViolation = (
  placeholder: string,
  value: string,
  schema: JsonSchema | undefined,
): string | undefined => {
  const isText = schema?.enum === undefined && schema?.const === undefined && schema?.type !== 'boolean'
  const mayPoint = isCode(placeholder) || codes.test(placeholder)
  const items = schema?.type === 'array' ? value.split(/[,;]| and /i) : [value]
  if (isText && !mayPoint && items.some(onlyPoints)) return 'expected a name or value, not a pronoun'
  const kind =
    byFormat.get(schema?.format ?? '') ?? byName.get(readableName(placeholder).toLowerCase().split(' ').at(-1) ?? '')
  const applies =
    schema === undefined || schema.type === undefined || ['string', 'number'].includes(String(schema.type))
  return kind && applies && !kind.fits(value) ? `expected ${kind.expected}` : undefined
}
