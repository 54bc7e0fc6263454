import { type Budget, type Limit, numberOf } from './budget.ts'
import type { Measurements } from './measurements.ts'

/** One number beside its limit. */
export interface BudgetRow {
  readonly group: string
  readonly name: string
  readonly number: number
  /** Undefined if the budget has none. */
  readonly limit: number | undefined
}

/** Returns a row for each measured number, in the order of the measurements. */
export const budgetRows = (measured: Measurements, budget: Budget): BudgetRow[] =>
  Object.entries(measured).flatMap(([group, numbers]) =>
    Object.entries(numbers).map(([name, number]) => {
      const limit = budget[group]?.[name]
      return { group, name, number, limit: limit === undefined ? undefined : numberOf(limit) }
    }),
  )

/** The part of a limit that may be left before it is to be lowered. */
const maxSpare = 0.05

/** Finds numbers without a limit or above it, and limits to lower or to remove; returns a sentence for each. */
export const compareBudget = (measured: Measurements, budget: Budget): string[] => [
  ...budgetRows(measured, budget).flatMap(({ group, name, number, limit }) => {
    const title = `${group} / ${name}`
    if (limit === undefined)
      return [`${title} is ${number} and has no budget. Stay below the general one, or add it with a decision page.`]
    if (number > limit)
      return [`${title} is ${number}, and its budget is ${limit}. Remove something, or raise it with a decision page.`]
    const spare = limit - number
    return spare >= 1 && spare >= limit * maxSpare
      ? [`${title} is ${number}, and its budget is ${limit}. ${lower}`]
      : []
  }),
  ...entriesOf(budget).flatMap(({ group, name }) =>
    measured[group]?.[name] === undefined ? [`${group} / ${name} no longer needs its budget. ${lower}`] : [],
  ),
]

const lower = 'Lower it: npx -y pnpm@12 check --budget --lower'

/**
 * Finds limits that were raised above an earlier version, or added later, without a decision page that contains their name and
 * number.
 *
 * @param earlier Earlier versions, the newest first.
 * @param readPage Returns the text of a page in the checkout; undefined if it does not exist.
 */
export const checkRaises = (
  budget: Budget,
  earlier: readonly Budget[],
  readPage: (path: string) => string | undefined,
): string[] =>
  entriesOf(budget).flatMap(({ group, name, limit }) => {
    const number = numberOf(limit)
    const known = sinceDecision(earlier.map(one => one[group]?.[name]).filter(one => one !== undefined))
    const isRaised = known.some(one => numberOf(one) < number) || (known.length === 0 && earlier.length > 0)
    const page = typeof limit === 'number' ? undefined : readPage(limit.decision)
    const isExplained = page?.includes(name) && page.replaceAll(/(?<=\d),(?=\d)/g, '').includes(String(number))
    return isRaised && !isExplained
      ? [
          `${group} / ${name} was raised to ${number}. Name a page of docs/decisions in its entry, and the name and the number on the page.`,
        ]
      : []
  })

/** Returns the limits, the newest first, up to the last one that a decision explains. */
const sinceDecision = (limits: readonly Limit[]): readonly Limit[] => {
  const explained = limits.findIndex(limit => typeof limit !== 'number')
  return explained < 0 ? limits : limits.slice(0, explained + 1)
}

/** Returns the budget with every limit that has something to spare lowered to its number, and without unused ones. */
export const lowerBudget = (measured: Measurements, budget: Budget): Budget =>
  Object.fromEntries(
    Object.entries(budget).map(([group, limits]) => [
      group,
      Object.fromEntries(
        Object.entries(limits).flatMap(([name, limit]) => {
          const number = measured[group]?.[name]
          if (number === undefined) return []
          return [[name, number < numberOf(limit) ? number : limit] as const]
        }),
      ),
    ]),
  )

const entriesOf = (budget: Budget): { group: string; name: string; limit: Limit }[] =>
  Object.entries(budget).flatMap(([group, limits]) =>
    Object.entries(limits).map(([name, limit]) => ({ group, name, limit })),
  )
