import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { cleanText, writeJson } from '../../output/clean-text.ts'
import { formatCount } from '../../output/format.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { placeOf } from '../storage/place-of.ts'
import { problemLines, runDatabaseTask } from '../storage/run-database-task.ts'
import type { BackupOptions } from './backup-command.ts'

/** Runs `sibyl backup`. @throws those of `runDatabaseTask` */
export const backup = async (folder: string, options: BackupOptions, io: CommandIo): Promise<ExitCode> => {
  const path = placeOf(folder, io)
  const task = { task: 'backup', folder: path, leaveUnknown: options.leaveUnknown === true } as const
  const recipient = options.encrypt === undefined ? {} : { recipient: options.encrypt }
  const report = await runDatabaseTask({ ...task, ...recipient }, io, {
    title: 'Backing up',
    error: 'backup_failed',
    onInterrupt: 'Earlier backups are unchanged. Run the same command again.',
  })
  if (!('backup' in report)) throw new Error('The oracle reports another task.')
  const { name, rows, tables, databaseBytes, files, problems } = report.backup
  if (options.json) writeJson(io, { folder: path, ...report.backup })
  else {
    const lines = [
      `Backed up ${formatCount(rows, 'row')} of ${formatCount(tables, 'table')} (${megabytes(databaseBytes)}) and ` +
        `${formatCount(files.count, 'file')}, ${files.copied} of them new:`,
      `  ${path}/${name}`,
      ...problemLines(problems, 20),
      'Store ORACLE_MNEMONIC and PIN_ENCRYPTION_KEY apart: no backup includes them.',
    ]
    io.stdout.write(`${cleanText(lines.join('\n'))}\n`)
  }
  return problems.length === 0 ? exitCode.done : exitCode.failed
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
