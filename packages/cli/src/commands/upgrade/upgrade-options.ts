import type { OptionsOf } from '../../command/define-command.ts'

export const upgradeOptions = {
  dryRun: { summary: 'show the changes without making them' },
  install: { negated: true, summary: 'write the packages without installing them' },
  json: { summary: 'print one JSON object' },
} as const

export type UpgradeOptions = OptionsOf<typeof upgradeOptions>
