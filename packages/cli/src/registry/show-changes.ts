import type { JsonValue } from '@sibyl/protocol'
import { cleanLine, safeJson, writeJson } from '../output/clean-text.ts'
import { displayWidth, truncate } from '../output/display-width.ts'
import { formatValue } from '../output/format.ts'
import { stylesFor } from '../output/styles.ts'
import type { CommandIo } from '../process/command-io.ts'
import type { EntityChange } from './entity-changes.ts'
import type { RegistryPlace } from './registry-node.ts'

/** The maximum columns of one value. */
const maxColumns = 500
/** On narrower terminals names have their own lines. */
const narrowColumns = 60

/** Returns the old and new values side by side; below each other if a line is too wide. */
export const changeLines = (changes: readonly EntityChange[], { stdout, env }: CommandIo): readonly string[] => {
  const { dim, bold } = stylesFor(stdout, env)
  const rows = changes.map(({ name, before, after }) => ({
    name: cleanLine(name),
    before: textOf(before),
    after: textOf(after),
  }))
  const widest = (texts: readonly string[]) => Math.max(...texts.map(displayWidth))
  const names = widest(rows.map(({ name }) => name))
  const olds = widest(rows.map(({ before }) => before))
  const news = widest(rows.map(({ after }) => after))
  const pad = (text: string, columns: number) => text + ' '.repeat(columns - displayWidth(text))
  if (names + olds + news + 6 <= (stdout.columns ?? 200)) {
    return rows.map(({ name, before, after }) => `${pad(name, names)}  ${dim(pad(before, olds))}  → ${bold(after)}`)
  }
  if ((stdout.columns ?? 200) < narrowColumns) {
    return rows.flatMap(({ name, before, after }) => [name, `  ${dim(before)}`, `→ ${bold(after)}`])
  }
  return rows.flatMap(({ name, before, after }) => [
    `${pad(name, names)}    ${dim(before)}`,
    `${pad('', names)}  → ${bold(after)}`,
  ])
}

const textOf = (value: JsonValue | undefined): string => {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'nothing'
  return truncate(formatValue(value), maxColumns) || '""'
}

/** The target of a request, and the format of its preview. */
interface PreviewOptions {
  readonly place: RegistryPlace
  /** Prints only one object to standard output. */
  readonly json: boolean | undefined
}

/** Prints the request to a registry as JSON. */
export const showPreview = (request: JsonValue, { place, json }: PreviewOptions, io: CommandIo): void => {
  if (json) {
    writeJson(io, { dryRun: true, request })
    return
  }
  io.stderr.write(`Nothing was changed. Request to ${place.title}:\n`)
  io.stdout.write(`${safeJson(request, 2)}\n`)
}
