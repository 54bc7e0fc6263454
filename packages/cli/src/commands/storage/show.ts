import { type StorageUsageRecord, storageReport } from '@sibyl/core/records'
import { parseJson } from '@sibyl/protocol'
import type { z } from 'zod'
import { during } from '../../ask/work-line.ts'
import type { JsonOptions } from '../../command/common-options.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { cleanText, writeJson } from '../../output/clean-text.ts'
import { formatBytes, formatCount } from '../../output/format.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { callOracle, unknownFormat } from '../../project/inspect-project.ts'
import { openProject } from '../../project/open-project.ts'

/**
 * Runs `sibyl storage show`. The process of the project's `main.ts` reads the database, since it has the driver.
 *
 * @throws `storage_unreadable`, `project_missing`, `project_failed`, `interrupted`
 */
export const show = async (options: JsonOptions, io: CommandIo): Promise<ExitCode> => {
  const project = await openProject(io)
  let report: z.output<typeof storageReport> | undefined
  await during('Reading the tables', io, step =>
    callOracle(project, io, {
      variables: { SIBYL_USAGE: '1' },
      onLine: line => {
        report = storageReport.safeParse(parseJson(line)).data
        if (report && 'reading' in report) step(cleanText(report.reading))
      },
    }),
  )
  if (report && 'failed' in report) {
    const { code, message } = report.failed
    const isOffline = code === 'database_unreachable'
    throw cliErrors.storage_unreadable(message, '', {
      reason: code,
      exitCode: isOffline ? exitCode.network : exitCode.failed,
    })
  }
  if (!report || !('usage' in report)) throw await unknownFormat(project)
  const { usage } = report
  const growing = usage.tables.reduce((sum, { bytesPerDay = 0 }) => sum + bytesPerDay, 0)
  if (options.json) writeJson(io, { ...usage, bytesPerDay: growing, bytesInYear: inYear(usage.bytes, growing) })
  else io.stdout.write(`${cleanText(lines(usage, growing).join('\n'))}\n`)
  return exitCode.done
}

const inYear = (bytes: number, perDay: number): number => bytes + 365 * perDay

const lines = (
  { engine, tables, bytes, logBytes = 0, freeBytes = 0 }: StorageUsageRecord,
  growing: number,
): readonly string[] => {
  const count = (rows: number) => rows.toLocaleString('en-US')
  const size = (name: string, rows: number, stored: number, perDay: number | undefined) => [
    name,
    count(rows),
    formatBytes(stored),
    perDay === undefined ? '-' : formatBytes(perDay),
    perDay === undefined ? '-' : formatBytes(inYear(stored, perDay)),
  ]
  const cells = [
    ['table', 'rows', 'size', 'per day', 'in a year'],
    ...tables.map(({ name, rows, bytes: stored, bytesPerDay }) => size(name, rows, stored, bytesPerDay)),
    size(
      'total',
      tables.reduce((sum, { rows }) => sum + rows, 0),
      tables.reduce((sum, table) => sum + table.bytes, 0),
      growing,
    ),
  ]
  const widths = cells[0]!.map((_, place) => Math.max(...cells.map(row => row[place]!.length)))
  const rows = cells.map(row =>
    row.map((cell, place) => (place === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[place]!))).join('  '),
  )
  const parts =
    engine === 'sqlite'
      ? `The file has ${formatBytes(bytes)}, of which ${formatBytes(freeBytes)} are free; its log has ${formatBytes(logBytes)}.`
      : `The database has ${formatBytes(bytes)}. Rows are estimates of PostgreSQL.`
  return [...rows, '', `${formatCount(tables.length, 'table')}. ${parts} Growth is that of the last 7 days.`]
}
