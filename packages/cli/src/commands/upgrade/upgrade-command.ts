import { defineCommand, type OptionsOf } from '../../command/define-command.ts'

const upgradeOptions = {
  dryRun: { summary: 'show the changes without making them' },
  install: { negated: true, summary: 'write the packages without installing them' },
  keep: { summary: 'keep the changes if check or test fails, to fix the project' },
  json: { summary: 'print one JSON object' },
} as const

export type UpgradeOptions = OptionsOf<typeof upgradeOptions>

const help = `Replaces the @sibyl packages in vendor/ of the project with those of this command, and installs them. Run it with a newer
command: from a clone, from a newer install, or with SIBYL_PACKAGES set to a folder of tarballs. It changes ranges that
exclude the new version: core of the project's own plugins, and @sibyl packages in package.json. Then it runs the scripts
check and test; if one fails, it restores all files. The next start migrates the database.`

export const upgradeCommand = defineCommand({
  name: 'upgrade',
  summary: 'upgrade the @sibyl packages of a project',
  help,
  examples: [
    'npx -y pnpm@12 sibyl upgrade ../field-oracle          from a newer clone',
    'SIBYL_PACKAGES=~/sibyl-0.2.0 npx sibyl upgrade        from tarballs',
    'sibyl upgrade --dry-run                               show the changes',
  ],
  exits: '0 done or up to date, 1 the install, check or test failed, 2 usage, 3 configuration, 130 interrupted.',
  positionals: { dir: { optional: true, summary: 'the project (default: the current one)' } },
  options: upgradeOptions,
  run: async ({ positionals: { dir }, options, io }) => (await import('./upgrade.ts')).upgrade(dir, options, io),
})
