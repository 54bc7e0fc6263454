import { randomUUID } from 'node:crypto'
import { type OracleClient, ProblemError, TurnFailedError } from '@sibyl/client'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { openOracle } from '../../oracle/open-oracle.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import { formatCount, formatDuration } from '../../output/format.ts'
import { Screen } from '../../output/screen.ts'
import { type Field, showFields } from '../../output/show-fields.ts'
import { isTerminal } from '../../output/styles.ts'
import type { CommandIo } from '../../process/command-io.ts'
import type { BenchOptions } from './bench-command.ts'

/** A turn that ended: milliseconds from its request. */
interface MeasuredTurn {
  readonly firstTextMs: number | undefined
  readonly ms: number
}

/** Runs `sibyl bench`. */
export const bench = async (options: BenchOptions, io: CommandIo): Promise<ExitCode> => {
  const { turns = 50, atOnce = 8, message = 'hello' } = options
  const { client, oracle, explain } = await openOracle(options, io)
  const interrupted = new AbortController()
  const release = io.onInterrupt(() => interrupted.abort())
  const screen = new Screen(io.stderr, isTerminal(io.stderr, io.env))
  const measured: MeasuredTurn[] = []
  const failures = new Map<string, number>()
  const sessions = new Set<string>()
  let begun = 0
  const sendNext = async (): Promise<void> => {
    while (begun < turns && !interrupted.signal.aborted) {
      begun += 1
      const sessionId = randomUUID()
      sessions.add(sessionId)
      try {
        measured.push(await measureTurn(client, { sessionId, message, signal: interrupted.signal }))
      } catch (error) {
        if (interrupted.signal.aborted) return
        // A request that was rejected began no session.
        if (error instanceof ProblemError) sessions.delete(sessionId)
        else if (measured.length === 0 && !(error instanceof TurnFailedError)) throw error
        const code = codeOf(error)
        failures.set(code, (failures.get(code) ?? 0) + 1)
      }
      screen.pass(`${measured.length} of ${formatCount(turns, 'turn')}`)
    }
  }
  const started = performance.now()
  try {
    await inParallel(atOnce, sendNext)
    const seconds = (performance.now() - started) / 1_000
    screen.pass(`Deleting ${formatCount(sessions.size, 'session')}`)
    const left = await deleteSessions(client, sessions, atOnce)
    screen.endLine()
    const failed = [...failures.values()].reduce((sum, count) => sum + count, 0)
    const report = {
      turns: measured.length,
      failed,
      failures: Object.fromEntries(failures),
      sessionsLeft: left,
      atOnce,
      seconds: Math.round(seconds * 100) / 100,
      turnsPerSecond: Math.round((measured.length / seconds) * 10) / 10,
      firstTextMs: percentilesOf(measured.flatMap(({ firstTextMs }) => firstTextMs ?? [])),
      durationMs: percentilesOf(measured.map(({ ms }) => ms)),
    }
    if (options.json) writeJson(io, report)
    else showFields(io, fieldsOf(report, oracle.name))
    if (interrupted.signal.aborted) return exitCode.interrupted
    return failed === 0 ? exitCode.done : exitCode.failed
  } catch (error) {
    throw await explain(error)
  } finally {
    release()
    screen.endLine()
  }
}

/** Returns how many could not be deleted. */
const deleteSessions = async (client: OracleClient, sessions: ReadonlySet<string>, atOnce: number): Promise<number> => {
  const ids = sessions.values()
  const left: string[] = []
  await inParallel(atOnce, async () => {
    for (const id of ids) await client.sessions.delete(id).catch(() => left.push(id))
  })
  return left.length
}

const inParallel = async (count: number, work: () => Promise<void>): Promise<void> => {
  await Promise.all(Array.from({ length: count }, work))
}

/** Reads a turn to its end. @throws the reason why it failed */
const measureTurn = async (
  client: OracleClient,
  { message, ...turnOptions }: { readonly sessionId: string; readonly message: string; readonly signal: AbortSignal },
): Promise<MeasuredTurn> => {
  const started = performance.now()
  let firstTextMs: number | undefined
  const turn = await client.chat(message, turnOptions)
  for await (const { event } of turn.events) {
    if (event.type === 'text-delta') firstTextMs ??= performance.now() - started
    if (event.type === 'error') throw new TurnFailedError(event.errorText, event.code)
    if (event.type === 'abort') throw new TurnFailedError('The turn was stopped.', 'abort')
  }
  return { firstTextMs, ms: performance.now() - started }
}

const codeOf = (error: unknown): string =>
  error instanceof ProblemError || error instanceof TurnFailedError
    ? error.code
    : cleanLine(error instanceof Error ? error.message : String(error))

interface Percentiles {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

const percentilesOf = (values: readonly number[]): Percentiles | undefined => {
  if (values.length === 0) return undefined
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1]!)
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

interface BenchReport {
  readonly turns: number
  readonly failures: Readonly<Record<string, number>>
  readonly sessionsLeft: number
  readonly atOnce: number
  readonly seconds: number
  readonly turnsPerSecond: number
  readonly firstTextMs: Percentiles | undefined
  readonly durationMs: Percentiles | undefined
}

const fieldsOf = (report: BenchReport, oracleName: string): Field[] => {
  const { turns, failures, sessionsLeft, atOnce, seconds, turnsPerSecond, firstTextMs, durationMs } = report
  const times = (values: Percentiles | undefined) =>
    values === undefined
      ? 'none'
      : `${formatDuration(values.p50)} median, ${formatDuration(values.p99)} p99, ${formatDuration(values.max)} at most`
  return [
    ['oracle', cleanLine(oracleName)],
    ['turns', `${turns} in ${formatDuration(seconds * 1_000)}, ${atOnce} at once`],
    ['a second', String(turnsPerSecond)],
    ['first text', times(firstTextMs)],
    ['whole answer', times(durationMs)],
    ...Object.entries(failures).map(([code, count]): Field => ['failed', `${count} ${code}`]),
    ...(sessionsLeft === 0 ? [] : [['not deleted', formatCount(sessionsLeft, 'session')] as const]),
  ]
}
