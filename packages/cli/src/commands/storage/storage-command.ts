import { jsonOption } from '../../command/common-options.ts'
import { defineCommand, type OptionsOf } from '../../command/define-command.ts'

const moveOptions = {
  leaveUnknown: { summary: 'leave tables behind that no plugin of the project has' },
  ...jsonOption,
} as const

export type MoveOptions = OptionsOf<typeof moveOptions>

const exitCodes = '0 done, 1 refused or different, 2 usage, 3 configuration, 4 network, 130 interrupted.'

const moveHelp = `Copies all tables of the oracle from the database of DATABASE_URL into an empty one, SQLite or PostgreSQL, and compares
both row by row. Revocations, used tokens, sessions and ledgers are included; uploaded files stay where they are. Stop
the oracle first. The old database stays unchanged. After an interruption, run the command again: it continues.`

const moveCommand = defineCommand({
  name: 'move',
  summary: 'move the database of the stopped oracle into another, empty one',
  help: moveHelp,
  examples: [
    'sibyl storage move postgres://user:password@host:5432/sibyl',
    'sibyl storage move file:./.data/sibyl.db',
    'sibyl storage move - < url.txt              hides the password from other users of the computer',
  ],
  exits: exitCodes,
  positionals: { url: { summary: 'a file: or postgres: URL; - reads it from stdin' } },
  options: moveOptions,
  run: async ({ positionals: { url }, options, io }) => (await import('./move.ts')).move(url, options, io),
})

const moveFilesCommand = defineCommand({
  name: 'move-files',
  summary: 'copy the files of the oracle to an object store or a folder',
  help: `Copies the files of FILES_DIR or FILES_URL, and verifies the hash of each. The oracle may run; after it has stopped, run the
command again for the files that were added. It deletes nothing. After an interruption it continues. AWS_ACCESS_KEY_ID,
AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL lead to the object store.`,
  examples: ['sibyl storage move-files s3://bucket/oracle', 'sibyl storage move-files /var/lib/oracle/files'],
  exits: exitCodes,
  positionals: { to: { summary: 'an s3: URL or a folder' } },
  options: jsonOption,
  run: async ({ positionals: { to }, options, io }) => (await import('./move-files.ts')).moveFiles(to, options, io),
})

const showCommand = defineCommand({
  name: 'show',
  summary: 'show how much each table stores and how fast it grows',
  help: `Lists the tables of DATABASE_URL by size, also while the oracle runs. The growth is that of the rows of the last 7 days; a
table whose rows have no time has none.`,
  examples: ['sibyl storage show', 'sibyl storage show --json'],
  exits: '0 done, 1 unreadable, 2 usage, 3 configuration, 4 network, 130 interrupted.',
  options: jsonOption,
  run: async ({ options, io }) => (await import('./show.ts')).show(options, io),
})

export const storageCommand = defineCommand({
  name: 'storage',
  summary: 'show the tables of the database of an oracle, or move its data',
  examples: ['sibyl storage show', 'sibyl storage move postgres://user:password@host:5432/sibyl'],
  exits: exitCodes,
  commands: [showCommand, moveCommand, moveFilesCommand],
})
