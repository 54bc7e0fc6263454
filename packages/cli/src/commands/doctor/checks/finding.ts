/** The headings of the findings, in order. */
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

/** A result of a check. */
export interface Finding {
  readonly group: FindingGroup
  /** The name of the check; stable: `node`, `env-mode`. */
  readonly check: string
  /** No action needed; works, but needs attention; prevents the oracle from working. */
  readonly state: 'ok' | 'warn' | 'fail'
  /** One sentence. */
  readonly message: string
  readonly fix?: string
}

export const findingsOf = (group: FindingGroup, check: string) => ({
  ok: (message: string): Finding => ({ group, check, state: 'ok', message }),
  warn: (message: string, fix: string): Finding => ({ group, check, state: 'warn', message, fix }),
  fail: (message: string, fix: string): Finding => ({ group, check, state: 'fail', message, fix }),
})
