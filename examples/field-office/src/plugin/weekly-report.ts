import { visibleText } from '@sibyl/plugin'
import type { ClaimRecord } from '@sibyl/plugin-claims/records'
import type { Week } from './week.ts'

/** The number of reports of a week, by outcome. */
export interface WeekNumbers {
  readonly received: number
  readonly approved: number
  readonly rejected: number
  readonly waiting: number
}

const approved = new Set(['approved', 'upheld'])
const rejected = new Set(['rejected', 'invalidated'])

/** The claims that came in during a week, the oldest first. */
export const claimsOf = (claims: readonly ClaimRecord[], { from, to }: Week): readonly ClaimRecord[] =>
  claims.filter(({ createdAt }) => Date.parse(createdAt) >= from && Date.parse(createdAt) < to).toReversed()

/** Counts claims by outcome. */
export const numbersOf = (claims: readonly ClaimRecord[]): WeekNumbers => {
  const [yes, no] = [approved, rejected].map(states => claims.filter(({ state }) => states.has(state)).length)
  const decided = { approved: yes ?? 0, rejected: no ?? 0 }
  return { received: claims.length, ...decided, waiting: claims.length - decided.approved - decided.rejected }
}

/** The numbers in one sentence. */
export const inWords = ({ received, approved, rejected, waiting }: WeekNumbers): string =>
  `${received} ${received === 1 ? 'report' : 'reports'} came in: ${approved} approved, ${rejected} not approved, ${waiting} waiting.`

/** Returns the report of a week as Markdown, with the reported facts, without names or numbers of people. */
export const weeklyReport = (claims: readonly ClaimRecord[], week: Week): string => {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  const lines = claims.map(({ id, data, state, verdict, credential }) => {
    const reasons = rejected.has(state) ? ` (${verdict?.reasons.join(' ') ?? 'no reason given'})` : ''
    const proof = credential?.id === undefined ? '' : `, credential ${credential.id}`
    return `- ${state}: "${quoted(data.summary)}"${reasons}; claim ${id}${proof}`
  })
  return [
    `# Week ${week.name}`,
    '',
    `${day(week.from)} to ${day(week.to - 1)}. ${inWords(numbersOf(claims))}`,
    ...(lines.length === 0 ? [] : ['', ...lines]),
    '',
  ].join('\n')
}

/** The words of a person on one line, without signs that would be read as Markdown. */
const quoted = (summary: unknown): string =>
  visibleText(String(summary ?? ''))
    .replaceAll(/[\s"`*_<>[\]#|\\]+/g, ' ')
    .trim()
    .slice(0, 160)
    .toWellFormed()
