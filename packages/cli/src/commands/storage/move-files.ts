import type { JsonOptions } from '../../command/common-options.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { cleanText, writeJson } from '../../output/clean-text.ts'
import { formatCount } from '../../output/format.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { placeOf } from './place-of.ts'
import { problemLines, runDatabaseTask } from './run-database-task.ts'

/** Runs `sibyl storage move-files`. @throws those of `runDatabaseTask` */
export const moveFiles = async (given: string, options: JsonOptions, io: CommandIo): Promise<ExitCode> => {
  const to = placeOf(given, io)
  const report = await runDatabaseTask({ task: 'move-files', to }, io, {
    title: 'Moving the files',
    error: 'move_failed',
    onInterrupt: 'Run the same command again to continue.',
  })
  if (!('filesMoved' in report)) throw new Error('The oracle reports another task.')
  const { count, copied, problems } = report.filesMoved
  if (options.json) writeJson(io, { to, ...report.filesMoved })
  else {
    const setting = to.startsWith('s3:') ? `FILES_URL=${to}` : `FILES_DIR=${to}, and remove FILES_URL`
    const lines = [
      `${formatCount(count, 'file')} verified, ${copied} of them new.`,
      ...(problems.length > 0 ? ['These were missing or altered before:', ...problemLines(problems, 50)] : []),
      'Stop the oracle and run this command again, so that no file is missing. Then set this, and start it:',
      `  ${setting}`,
      'The old files stay. Delete them when all works.',
    ]
    io.stdout.write(`${cleanText(lines.join('\n'))}\n`)
  }
  return problems.length === 0 ? exitCode.done : exitCode.failed
}
