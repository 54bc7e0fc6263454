import { moveReport } from '@sibyl/core/records'
import { parseJson } from '@sibyl/protocol'
import type { z } from 'zod'
import { showWork } from '../../ask/work-line.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { cleanText, writeJson } from '../../output/clean-text.ts'
import { formatCount } from '../../output/format.ts'
import { Screen } from '../../output/screen.ts'
import { isTerminal } from '../../output/styles.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { readLine } from '../../process/read-line.ts'
import { callOracle, unknownFormat } from '../../project/inspect-project.ts'
import { openProject } from '../../project/open-project.ts'
import type { MoveOptions } from './storage-command.ts'

type MoveReport = z.output<typeof moveReport>

/**
 * Runs `sibyl storage move`. The process of the project's `main.ts` moves the database, since it has the migrations of all
 * plugins.
 *
 * @throws `move_failed`, `project_missing`, `project_failed`, `interrupted`
 */
export const move = async (url: string, options: MoveOptions, io: CommandIo): Promise<ExitCode> => {
  const project = await openProject(io)
  const to = url === '-' ? (await readLine(io)).trim() : url
  const terminal = isTerminal(io.stderr, io.env)
  const shown = showWork('Moving the database', new Screen(io.stderr, terminal), terminal, io)
  let last = ''
  const show = ({ step, table, rows, total }: Extract<MoveReport, { progress: unknown }>['progress']) => {
    const done = terminal ? `  ${Math.floor((100 * rows) / Math.max(total, 1))} %` : ''
    const text = `${step === 'copy' ? 'copying' : 'comparing'} ${cleanText(table)}${done}`
    if (text !== last) shown.step(text)
    last = text
  }
  let report: MoveReport | undefined
  await callOracle(project, io, {
    variables: { SIBYL_MOVE: JSON.stringify({ to, leaveUnknown: options.leaveUnknown === true }) },
    onLine: line => {
      report = moveReport.safeParse(parseJson(line)).data
      if (report && 'progress' in report) show(report.progress)
    },
    onInterrupt: 'Run the same command again to continue.',
  }).finally(shown.done)
  if (report && 'failed' in report) throw moveError(report.failed, to)
  if (!report || !('moved' in report)) throw await unknownFormat(project)
  const { moved } = report
  if (options.json) writeJson(io, moved)
  else io.stdout.write(`${cleanText(lines(moved, withoutPassword(to)).join('\n'))}\n`)
  return moved.problems.length === 0 ? exitCode.done : exitCode.failed
}

const exitCodes: Readonly<Record<string, ExitCode>> = {
  boot_failed: exitCode.configuration,
  database_url_invalid: exitCode.usage,
  database_unreachable: exitCode.network,
}

const moveError = ({ code, message }: { readonly code: string; readonly message: string }, to: string) => {
  const details = { reason: code, exitCode: exitCodes[code] ?? exitCode.failed }
  const text = message.replaceAll(passwordOf(to) || '\0', '•••')
  return cliErrors.move_failed(text, '', details)
}

type Moved = Extract<MoveReport, { moved: unknown }>['moved']

const lines = ({ tables, left, problems }: Moved, to: string): readonly string[] => [
  `Moved ${formatCount(
    tables.reduce((sum, { rows }) => sum + rows, 0),
    'row',
  )} of ${formatCount(tables.length, 'table')}. The rows of both databases are equal.`,
  ...(left.length > 0 ? [`Left behind: ${left.join(', ')}`] : []),
  ...(problems.length > 0 ? ['These were invalid before the move:', ...problems.map(problem => `  ${problem}`)] : []),
  'Set this in .env, then start the oracle:',
  `  DATABASE_URL=${to}`,
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
