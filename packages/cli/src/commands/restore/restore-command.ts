import { jsonOption } from '../../command/common-options.ts'
import { defineCommand, type OptionsOf } from '../../command/define-command.ts'

const restoreOptions = {
  verify: { summary: 'check the backup and restore nothing', conflicts: 'replace' },
  at: { value: '<name>', summary: 'the name of a backup in the folder (default: the newest)' },
  identity: { value: '<file>', summary: 'the identity file of age for an encrypted backup' },
  replace: { summary: 'keep a database with tables under another name, and restore in its place' },
  leaveDamaged: { summary: 'restore without files that are missing or damaged' },
  ...jsonOption,
} as const

export type RestoreOptions = OptionsOf<typeof restoreOptions>

export const restoreCommand = defineCommand({
  name: 'restore',
  summary: 'restore or verify a backup of sibyl backup',
  help: `Restores the files into FILES_DIR or FILES_URL, then the database into the empty one of DATABASE_URL, SQLite or PostgreSQL. Stop the oracle
first. After an interruption, run the command again: it continues. --verify checks digests, rows, chains of hashes, ledgers
and status lists, and lists what is missing; without the identity, only the digests of an encrypted backup.`,
  examples: [
    'sibyl restore /var/backups/oracle --verify',
    'sibyl restore s3://bucket/backups',
    'sibyl restore ../oracle-backups --identity key.txt --at 2026-11-30T02-00-00.000Z',
  ],
  exits: '0 done, 1 refused or damaged, 2 usage, 3 configuration, 4 network, 130 interrupted.',
  positionals: { folder: { summary: 'the folder of the backups, or s3://bucket/folder' } },
  options: restoreOptions,
  run: async ({ positionals: { folder }, options, io }) => (await import('./restore.ts')).restore(folder, options, io),
})
