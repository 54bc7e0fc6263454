import { resolve } from 'node:path'
import type { TaskReport } from '@sibyl/core/records'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { cleanText, writeJson } from '../../output/clean-text.ts'
import { formatCount } from '../../output/format.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { placeOf } from '../storage/place-of.ts'
import { problemLines, runDatabaseTask } from '../storage/run-database-task.ts'
import type { RestoreOptions } from './restore-command.ts'

/** Runs `sibyl restore`. @throws those of `runDatabaseTask` */
export const restore = async (folder: string, options: RestoreOptions, io: CommandIo): Promise<ExitCode> => {
  const report = await runDatabaseTask(
    {
      task: options.verify ? 'verify' : 'restore',
      folder: placeOf(folder, io),
      ...(options.at !== undefined && { at: options.at }),
      ...(options.identity !== undefined && { identity: resolve(io.cwd, options.identity) }),
      replace: options.replace === true,
      leaveDamaged: options.leaveDamaged === true,
    },
    io,
    {
      title: options.verify ? 'Verifying the backup' : 'Restoring',
      error: 'backup_failed',
      onInterrupt: options.verify ? '' : 'Run the same command again to continue.',
    },
  )
  const result = resultOf(report)
  if (options.json) writeJson(io, result)
  else io.stdout.write(`${cleanText([...linesOf(report), ...problemLines(result.problems, 50)].join('\n'))}\n`)
  return result.problems.length === 0 ? exitCode.done : exitCode.failed
}

const resultOf = (report: TaskReport) => {
  if ('verified' in report) return report.verified
  if ('restored' in report) return report.restored
  throw new Error('The oracle reports another task.')
}

const linesOf = (report: TaskReport): readonly string[] => {
  if ('verified' in report) {
    const { name, rows, files, opened, encrypted, problems } = report.verified
    const size = `${formatCount(rows, 'row')} and ${formatCount(files, 'file')}`
    if (problems.length > 0) return [`The backup ${name} of ${size} is damaged:`]
    if (opened) return [`The backup ${name} of ${size} is complete.`]
    return [`The backup ${name} of ${size} is unchanged.${encrypted ? ' Name --identity to check its content.' : ''}`]
  }
  if (!('restored' in report)) return []
  const { name, rows, files, replaced, problems } = report.restored
  return [
    `Restored ${formatCount(rows, 'row')} and ${formatCount(files.count, 'file')} of the backup ${name}.`,
    ...(replaced === undefined ? [] : [`The database before is kept: ${replaced}`]),
    'Start the oracle, then revoke again what was revoked since the backup.',
    ...(problems.length > 0 ? ['Not restored, or invalid before:'] : []),
  ]
}
