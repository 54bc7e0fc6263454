import type { z } from 'zod'
import type { BootProblem } from '../errors/boot-error.ts'
import { describeValue } from './describe-value.ts'
import type { EnvMeta } from './env-meta.ts'

/** Whose variable it is: core's own, or a plugin's by name. */
export type EnvOwner = 'core' | { readonly plugin: string }

/** A variable that failed its check. */
export interface EnvFault {
  readonly owner: EnvOwner
  readonly variable: string
  /** What is wrong, as `expectation` or a text of its own, without the value. */
  readonly fault: string
  readonly meta?: EnvMeta
  /** The key of oracle.config.json that the value came from. */
  readonly configKey?: string
}

/** The boot problem of a variable, with the exact headline and the remedy. */
export const envProblem = ({ owner, variable, fault, meta, configKey }: EnvFault): BootProblem => {
  const plugin = owner === 'core' ? undefined : owner.plugin
  const whose = plugin === undefined ? 'Core' : `Plugin '${plugin}'`
  const use = meta?.example ? ` Use ${meta.example}` : ''
  const place = configKey ? `Fix '${configKey}' in oracle.config.json` : 'Fix it in .env'
  return {
    code: 'env_invalid',
    headline: `${whose} env validation failed for '${variable}'`,
    lines: [
      `${fault}.${use}`,
      plugin === undefined ? `${place}.` : `${place}, or switch the plugin off: ${switchOff(plugin)}`,
    ],
    ...(plugin === undefined ? {} : { plugin }),
    variable,
  }
}

/** The setting that leaves a plugin out: `features: { weather: false }`. */
export const switchOff = (plugin: string): string =>
  `features: { ${/^[a-z][a-z0-9]*$/i.test(plugin) ? plugin : `'${plugin}'`}: false }`

/** The fault that a zod issue tells of: what was expected and of what kind the value is. */
export const issueFault = (issue: z.core.$ZodIssue, value: unknown): string => {
  if (value === undefined) return 'is not set'
  const got = (expected?: 'url' | 'number') => `(got ${describeValue(value, expected)})`
  switch (issue.code) {
    case 'invalid_type':
      return isNumeric(issue.expected)
        ? `not a ${numberWord(issue.expected)} ${got('number')}`
        : `not ${article(issue.expected)} ${got()}`
    case 'invalid_format':
      if (issue.format === 'url') return `not a URL that fits ${got('url')}`
      return issue.format === 'regex'
        ? `not of the form it must have ${got()}`
        : `not ${article(issue.format)} ${got()}`
    case 'invalid_value':
      return `expected ${alternatives(issue)} ${got()}`
    case 'too_small':
      return `expected ${limit('at least', issue.minimum, issue.origin)} ${got(numeric(issue.origin))}`
    case 'too_big':
      return `expected ${limit('at most', issue.maximum, issue.origin)} ${got(numeric(issue.origin))}`
    case 'not_multiple_of':
      return `not a multiple of ${issue.divisor} ${got('number')}`
    case 'invalid_union':
      return unionFault(issue, value) ?? `not of a form it may have ${got()}`
    case 'custom':
      return typeof value === 'string' ? `${withoutValue(issue.message, value)} ${got()}` : issue.message
    default:
      return `not of the form it must have ${got()}`
  }
}

const isNumeric = (expected: string) => expected === 'number' || expected === 'int' || expected === 'bigint'
const numberWord = (expected: string) => (expected === 'number' ? 'number' : 'whole number')
const numeric = (origin: string) => (['number', 'int', 'bigint'].includes(origin) ? 'number' : undefined)
const article = (noun: string) => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`)

const alternatives = (issue: z.core.$ZodIssueInvalidValue): string => {
  if ('expected' in issue && issue.expected === 'stringbool') return 'true or false'
  const values = issue.values.slice(0, 12).map(String)
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}

const limit = (bound: string, amount: number | bigint, origin: string): string =>
  numeric(origin) ? `${bound} ${amount}` : `${bound} ${amount} ${origin === 'string' ? 'characters' : 'entries'}`

const unionFault = (issue: z.core.$ZodIssueInvalidUnion, value: unknown): string | undefined => {
  const faults = issue.errors.flatMap(branch => branch[0] ?? []).map(inner => issueFault(inner, value))
  return faults.length > 0 ? [...new Set(faults)].join(', and ') : undefined
}

/** A message of a plugin's own, with the value struck out should it be quoted there. */
const withoutValue = (message: string, value: string): string => message.replaceAll(value, '…')
