import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** A process under measurement. */
export interface MeasuredProcess {
  readonly url: string
  readonly pid: number
  /** Milliseconds from the spawn until it said where it listens. */
  readonly bootMs: number
  /** User and system time so far, in milliseconds. */
  cpuMs(): number
  /** Resident memory now, in megabytes of 1,000,000 bytes. */
  memoryMb(): number
  stop(): Promise<void>
}

/** Clock ticks a second of /proc on Linux. */
const ticksPerSecond = 100

/** Starts a TypeScript file with Node and waits for a URL in its output. */
export const startProcess = async (file: string, env: Record<string, string> = {}): Promise<MeasuredProcess> => {
  const started = performance.now()
  const child = spawn(process.execPath, ['--conditions=sibyl-source', file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await firstUrl(child)
  const bootMs = performance.now() - started
  const pid = child.pid ?? 0
  return {
    url,
    pid,
    bootMs,
    cpuMs() {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000
    },
    memoryMb() {
      const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
      return (Number(line?.[1]) * 1024) / 1e6
    },
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await new Promise(resolve => child.once('exit', resolve))
    },
  }
}

const firstUrl = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stdout! })
    lines.on('line', line => {
      const url = /http:\/\/[\w.:]+(\/v1)?/.exec(line)
      if (url) resolve(url[0])
    })
    child.once('exit', code => reject(new Error(`the process ended with ${code} before it listened`)))
  })

/** The middle of a list of numbers. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
