import { defineCommand, type OptionsOf } from '../../command/define-command.ts'

const upgradeOptions = {
  dryRun: { summary: 'show the changes without making them' },
  install: { negated: true, summary: 'write the packages without installing them' },
  json: { summary: 'print one JSON object' },
} as const

export type UpgradeOptions = OptionsOf<typeof upgradeOptions>

const help = `
Replaces the @sibyl packages in vendor/ of the project with those of this command, then installs them. Run it with a newer
command: from a clone, from a newer install, or with SIBYL_PACKAGES set to a folder of tarballs. Your own files stay
unchanged; the next start migrates the database.

Examples:
  npx -y pnpm@12 sibyl upgrade ../field-oracle          from a newer clone
  SIBYL_PACKAGES=~/sibyl-0.2.0 npx sibyl upgrade        from tarballs
  sibyl upgrade --dry-run                               show the changes

Exit codes: 0 done or up to date, 1 the install failed, 2 usage, 3 configuration, 130 interrupted.`

export const upgradeCommand = defineCommand({
  name: 'upgrade',
  summary: 'upgrade the @sibyl packages of a project',
  help,
  positionals: { dir: { optional: true, summary: 'the project (default: the current one)' } },
  options: upgradeOptions,
  run: async ({ positionals: { dir }, options, io }) => (await import('./upgrade.ts')).upgrade(dir, options, io),
})
