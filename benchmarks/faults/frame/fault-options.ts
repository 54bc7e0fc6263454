import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

/** Command line options of a fault script. */
export interface FaultOptions {
  readonly seed: number
  readonly count: number
  readonly quick: boolean
  /** False with `--without-defence`: the script must then fail. */
  readonly defended: boolean
  /** The defence that is taken out: with `--without-defence` the first, or the one that `--defence` names. */
  readonly without: string | undefined
  /** The script's own choices, each one of those that it offers. */
  readonly choices: Readonly<Record<string, string>>
}

/** Options that a script offers. */
export interface OfferedOptions {
  /** Default count. */
  readonly count: number
  /** Count with `--quick`. */
  readonly quick: number
  /** The defences that can be taken out, each of `defences.ts`, or removed by the script itself. */
  readonly defences: readonly [string, ...string[]]
  /** Further options and their values, the default first: `{ engine: ['sqlite', 'postgres'] }` is `--engine=postgres`. */
  readonly choices?: Readonly<Record<string, readonly string[]>>
}

/**
 * Parses `--seed`, `--count`, `--quick`, `--without-defence` and the script's own options.
 *
 * @throws Error for an unknown option or an invalid value
 */
export const readFaultOptions = (offered: OfferedOptions, args: readonly string[]): FaultOptions => {
  const own = offered.choices ?? {}
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string' },
      count: { type: 'string' },
      quick: { type: 'boolean', default: false },
      'without-defence': { type: 'boolean', default: false },
      defence: { type: 'string' },
      ...Object.fromEntries(Object.keys(own).map(name => [name, { type: 'string' as const }])),
    },
  })
  const given = values as Readonly<Record<string, string | boolean | undefined>>
  const quick = given.quick === true
  const defended = given['without-defence'] !== true
  const defence = choice('defence', offered.defences, given.defence)
  return {
    seed: wholeNumber('seed', given.seed) ?? randomInt(1, 2 ** 31),
    count: wholeNumber('count', given.count) ?? (quick ? offered.quick : offered.count),
    quick,
    defended,
    without: defended ? undefined : defence,
    choices: Object.fromEntries(Object.entries(own).map(([name, list]) => [name, choice(name, list, given[name])])),
  }
}

const wholeNumber = (name: string, text: string | boolean | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (typeof text === 'string' && /^[1-9]\d{0,9}$/.test(text)) return Number(text)
  throw new Error(`--${name} is a whole number of 1 or more, not '${text}'.`)
}

const choice = (name: string, offered: readonly string[], given: string | boolean | undefined): string => {
  const value = given ?? offered[0]
  if (typeof value === 'string' && offered.includes(value)) return value
  throw new Error(`--${name} is one of ${offered.join(', ')}, not '${given}'.`)
}
