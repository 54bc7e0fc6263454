import type { OptionsOf } from '../../command/define-command.ts'

export const inspectOptions = {
  prompt: { summary: 'the system prompt alone', conflicts: 'json' },
  json: { summary: 'all that the oracle tells of itself, as one object' },
} as const

export type InspectOptions = OptionsOf<typeof inspectOptions>
