import type { TaskReport } from '@sibyl/core/records'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { cleanText, writeJson } from '../../output/clean-text.ts'
import { formatCount } from '../../output/format.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { readLine } from '../../process/read-line.ts'
import { runDatabaseTask } from './run-database-task.ts'
import type { MoveOptions } from './storage-command.ts'

/** Runs `sibyl storage move`. @throws those of `runDatabaseTask` */
export const move = async (url: string, options: MoveOptions, io: CommandIo): Promise<ExitCode> => {
  const to = url === '-' ? (await readLine(io)).trim() : url
  const report = await runDatabaseTask({ task: 'move', to, leaveUnknown: options.leaveUnknown === true }, io, {
    title: 'Moving the database',
    error: 'move_failed',
    onInterrupt: 'Run the same command again to continue.',
    secret: passwordOf(to),
  })
  if (!('moved' in report)) throw new Error('The oracle reports another task.')
  const { moved } = report
  if (options.json) writeJson(io, moved)
  else io.stdout.write(`${cleanText(lines(moved, withoutPassword(to)).join('\n'))}\n`)
  return moved.problems.length === 0 ? exitCode.done : exitCode.failed
}

type Moved = Extract<TaskReport, { moved: unknown }>['moved']

const lines = ({ tables, left, problems, hasDirectUrl }: Moved, to: string): readonly string[] => [
  `Moved ${formatCount(
    tables.reduce((sum, { rows }) => sum + rows, 0),
    'row',
  )} of ${formatCount(tables.length, 'table')}. The rows of both databases are equal.`,
  ...(left.length > 0 ? [`Left behind: ${left.join(', ')}`] : []),
  ...(problems.length > 0 ? ['These were invalid before the move:', ...problems.map(problem => `  ${problem}`)] : []),
  'Set this in .env, then start the oracle:',
  `  DATABASE_URL=${to}`,
  ...(hasDirectUrl ? ['DATABASE_DIRECT_URL must name the new database too; change or remove it.'] : []),
  'Do not start an oracle on the old database again: it would not know what is revoked or used from now on.',
]

const passwordOf = (url: string): string =>
  URL.canParse(url)
    ? decodeURIComponent(new URL(url).password) || (new URL(url).searchParams.get('password') ?? '')
    : ''

const withoutPassword = (url: string): string => {
  const { password } = URL.canParse(url) ? new URL(url) : { password: '' }
  return password === '' ? url : url.replace(`:${password}@`, ':<password>@')
}
