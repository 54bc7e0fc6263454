import { stripVTControlCharacters } from 'node:util'
import type { McpLog } from '../connection/mcp-connection.ts'
import { cleanLine } from '../reading/clean-text.ts'

/** The longest line that is logged, in characters. */
const maxLine = 1_000
/** Maximum different lines of one server that are logged in a window; the others are counted. */
const maxLines = 20
const windowMs = 60_000

/** The recent output of the programs of a server on standard error; it is kept across their restarts. */
export interface OutputWindow {
  begins: number
  readonly lines: Set<string>
  leftOut: number
}

/** Options for `createProgramOutput`. */
export interface ProgramOutputOptions {
  readonly server: string
  readonly log: McpLog
  readonly window: OutputWindow
  readonly now: () => number
  /** Whether the log shows already that the server is away. */
  readonly isAway: () => boolean
}

/** Returns an empty window. */
export const createOutputWindow = (): OutputWindow => ({
  begins: Number.NEGATIVE_INFINITY,
  lines: new Set(),
  leftOut: 0,
})

/**
 * Logs the standard error of a program line by line: at info, and at debug where a line was logged within the last minute,
 * the minute has had its lines, or the server is known to be away.
 */
export const createProgramOutput = ({ server, log, window, now, isAway }: ProgramOutputOptions) => {
  let pending = ''
  let isCut = false

  const report = (raw: string) => {
    const text = cleanLine(shorten(withoutPasswords(stripVTControlCharacters(raw))), maxLine)
    if (text === '') return
    const time = now()
    if (time - window.begins >= windowMs) {
      if (window.leftOut > 0) {
        log.info('Lines on the standard error of an MCP server were omitted', { server, lines: window.leftOut })
      }
      window.begins = time
      window.lines.clear()
      window.leftOut = 0
    }
    const isShown = !isAway() && !window.lines.has(text) && window.lines.size < maxLines
    if (isShown) window.lines.add(text)
    else if (!isAway()) window.leftOut++
    log[isShown ? 'info' : 'debug']('An MCP server wrote to its standard error', { server, said: text })
  }

  return {
    write(text: string) {
      const lines = (pending + text).split(/\r?\n/)
      pending = lines.pop() ?? ''
      for (const line of lines) {
        if (!isCut) report(line)
        isCut = false
      }
      if (pending.length <= maxLine * 4) return
      if (!isCut) report(pending)
      isCut = true
      pending = ''
    },
    /** Logs the line that has no end. */
    end() {
      if (!isCut) report(pending)
      pending = ''
    },
  }
}

/** Cuts between words, so that no part of a secret is left that its whole would redact. */
const shorten = (line: string): string =>
  line.length < maxLine ? line : `${line.slice(0, maxLine - 2).replace(/\S*$/, '')}…`

/** A proxy's address may hold its password. */
const withoutPasswords = (line: string): string => line.replace(/\/\/[^\s/@]+@/g, '//…@')
