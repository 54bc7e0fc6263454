/** The headings of what was found, in the order in which they are shown. */
export const findingGroups = [
  'This computer',
  'Project',
  'Files',
  'Plugins',
  'Identity',
  'Address',
  'Services',
  'Production',
] as const

type FindingGroup = (typeof findingGroups)[number]

/** One thing that was looked at. */
export interface Finding {
  readonly group: FindingGroup
  /** What was looked at; stable: `node`, `env-mode`. */
  readonly check: string
  /** As it should be; works, but wants a look; keeps the oracle from working. */
  readonly state: 'ok' | 'warn' | 'fail'
  /** What was found, in one sentence. */
  readonly message: string
  readonly fix?: string
}

/** What a check found of one thing, for `findingsOf`. */
interface Findings {
  ok(message: string): Finding
  warn(message: string, fix: string): Finding
  fail(message: string, fix: string): Finding
}

/** Makes findings of one check. */
export const findingsOf = (group: FindingGroup, check: string): Findings => ({
  ok: message => ({ group, check, state: 'ok', message }),
  warn: (message, fix) => ({ group, check, state: 'warn', message, fix }),
  fail: (message, fix) => ({ group, check, state: 'fail', message, fix }),
})
