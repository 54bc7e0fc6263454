import { type DatabaseTask, type TaskReport, taskReport } from '@sibyl/core/records'
import { parseJson } from '@sibyl/protocol'
import { showWork } from '../../ask/work-line.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { cleanText } from '../../output/clean-text.ts'
import { Screen } from '../../output/screen.ts'
import { isTerminal } from '../../output/styles.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { callOracle, unknownFormat } from '../../project/inspect-project.ts'
import { openProject } from '../../project/open-project.ts'

const steps = { copy: 'copying', compare: 'comparing', files: 'files' } as const

const exitCodes: Readonly<Record<string, ExitCode>> = {
  boot_failed: exitCode.configuration,
  database_url_invalid: exitCode.usage,
  database_unreachable: exitCode.network,
  object_store_unavailable: exitCode.network,
  object_store_clock: exitCode.configuration,
  object_store_denied: exitCode.configuration,
  object_store_invalid: exitCode.configuration,
  object_store_missing: exitCode.configuration,
}

interface TaskOptions {
  /** The name of the work on the screen. */
  readonly title: string
  readonly error: 'move_failed' | 'backup_failed'
  /** The remedy after Ctrl-C. */
  readonly onInterrupt: string
  readonly secret?: string
}

/**
 * Works on the database of a project, and shows the progress. The process of the project's `main.ts` does it, since it has
 * the migrations of all plugins.
 *
 * @throws `move_failed` or `backup_failed`, `project_missing`, `project_failed`, `interrupted`
 */
export const runDatabaseTask = async (task: DatabaseTask, io: CommandIo, options: TaskOptions): Promise<TaskReport> => {
  const project = await openProject(io)
  const terminal = isTerminal(io.stderr, io.env)
  const shown = showWork(options.title, new Screen(io.stderr, terminal), terminal, io)
  let last = ''
  const show = ({ step, table, done, total }: Extract<TaskReport, { progress: unknown }>['progress']) => {
    const share = terminal && total > 0 ? `  ${Math.floor((100 * done) / total)} %` : ''
    const text = `${[steps[step], table === undefined ? '' : cleanText(table)].join(' ').trim()}${share}`
    if (text !== last) shown.step(text)
    last = text
  }
  let report: TaskReport | undefined
  await callOracle(project, io, {
    variables: { SIBYL_TASK: JSON.stringify(task) },
    onLine: line => {
      report = taskReport.safeParse(parseJson(line)).data
      if (report && 'progress' in report) show(report.progress)
    },
    onInterrupt: options.onInterrupt,
  }).finally(shown.done)
  if (!report || 'progress' in report) throw await unknownFormat(project)
  if (!('failed' in report)) return report
  const { code, message } = report.failed
  const text = message.replaceAll(options.secret || '\0', '•••')
  throw cliErrors[options.error](text, '', { reason: code, exitCode: exitCodes[code] ?? exitCode.failed })
}

/** Returns the first problems of a report as lines, and the number of the others. */
export const problemLines = (problems: readonly string[], max: number): string[] => [
  ...problems.slice(0, max).map(problem => `  ${problem}`),
  ...(problems.length > max ? [`  … and ${problems.length - max} more; --json lists all.`] : []),
]
