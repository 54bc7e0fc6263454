import type { OptionsOf } from '../../command/define-command.ts'

export const inspectOptions = {
  prompt: { summary: 'print only the system prompt', conflicts: 'json' },
  json: { summary: 'print the complete inspection as one object' },
} as const

export type InspectOptions = OptionsOf<typeof inspectOptions>
