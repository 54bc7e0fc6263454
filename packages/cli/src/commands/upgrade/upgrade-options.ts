import type { OptionsOf } from '../../command/define-command.ts'

export const upgradeOptions = {
  dryRun: { summary: 'show what would change, and do nothing' },
  install: { negated: true, summary: 'write the packages, and leave the install to you' },
  json: { summary: 'answer with one object' },
} as const

export type UpgradeOptions = OptionsOf<typeof upgradeOptions>
