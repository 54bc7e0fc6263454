import type { Invocations } from '../measure/invocations.ts'
import { type MeasuredProcess, median, startProcess } from '../measure/processes.ts'
import { runLoad } from './load.ts'

/** An oracle that differs from others in one thing. */
export interface ComparedServer {
  readonly name: string
  readonly process: MeasuredProcess
}

/** Load of a comparison. */
export interface ComparedLoad {
  readonly invocations: Invocations
  /** Interleaved; one more before them warms up. */
  readonly rounds: number
  /** In each round. */
  readonly turns: number
  readonly concurrency: number
  /** @default 1 */
  readonly persons?: number
}

/** The medians of a server. */
export interface ServerFigures {
  readonly turnsPerSecond: number
  /** The same as one line, with the share of the first server's turns a second. */
  readonly text: string
}

/** Starts an oracle whose model is the fake one. */
export const startCompared = async (
  script: string,
  { fake, name, env }: { readonly fake: MeasuredProcess; readonly name: string; readonly env: Record<string, string> },
): Promise<ComparedServer> => ({
  name,
  process: await startProcess(script, {
    OPENAI_BASE_URL: fake.url,
    LLM_PROVIDER: 'openai-compatible',
    LLM_MODEL: 'm',
    LOG_LEVEL: 'error',
    ...env,
  }),
})

/** Applies the same load to each server in turn, and returns the medians in the order of the servers. */
export const compareServers = async (
  servers: readonly ComparedServer[],
  { invocations, rounds, turns, concurrency, persons = 1 }: ComparedLoad,
): Promise<readonly ServerFigures[]> => {
  const measured = servers.map(({ process }) => ({ process, turnsPerSecond: [] as number[], cpuMs: [] as number[] }))
  for (let round = -1; round < rounds; round += 1) {
    for (const { process: server, turnsPerSecond, cpuMs } of measured) {
      const tokens = await invocations.mint(turns, persons)
      const cpu = server.cpuMs()
      const result = await runLoad(server.url, turns, concurrency, index => tokens[index])
      if (round < 0) continue
      turnsPerSecond.push(result.turnsPerSecond)
      cpuMs.push((server.cpuMs() - cpu) / turns)
    }
  }
  const base = median(measured[0]!.turnsPerSecond)
  return measured.map(({ turnsPerSecond, cpuMs }) => {
    const speed = median(turnsPerSecond)
    const text = `${speed.toFixed(0).padStart(5)} turns/s   ${(speed / base).toFixed(2)}   ${median(cpuMs).toFixed(2)} CPU ms a turn`
    return { turnsPerSecond: speed, text }
  })
}
