import { jsonOption } from '../../command/common-options.ts'
import { defineCommand, type OptionsOf } from '../../command/define-command.ts'

const backupOptions = {
  encrypt: { value: '<recipient>', summary: 'encrypt for this public key of age: age1…' },
  leaveUnknown: { summary: 'on PostgreSQL, leave tables out that no plugin of the project has' },
  ...jsonOption,
} as const

export type BackupOptions = OptionsOf<typeof backupOptions>

export const backupCommand = defineCommand({
  name: 'backup',
  summary: 'back up the database and the files of an oracle while it runs',
  help: `Adds a backup to a folder or an object store: the database of DATABASE_URL at one point in time, as a SQLite file for both
engines, then the files of FILES_DIR or FILES_URL that it lacks. Earlier backups stay; an interrupted one is removed at the next run.
Delete the dated folder of a backup that you no longer need; the next run deletes its files. ORACLE_MNEMONIC and PIN_ENCRYPTION_KEY
are not included. AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY lead to the object store.`,
  examples: [
    'sibyl backup /var/backups/oracle',
    'sibyl backup s3://bucket/backups',
    'sibyl backup ../oracle-backups --encrypt age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
  ],
  exits: '0 done, 1 refused or files are missing, 2 usage, 3 configuration, 4 network, 130 interrupted.',
  positionals: { folder: { summary: 'a folder, created if missing, or s3://bucket/folder' } },
  options: backupOptions,
  run: async ({ positionals: { folder }, options, io }) => (await import('./backup.ts')).backup(folder, options, io),
})
