import type { Readable, Writable } from 'node:stream'

/** What is typed or piped in. */
export type InputStream = Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown }

/** Where to write; `columns` on a terminal only. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** Everything that a command has of the world outside, so that it runs in a test as in a process. */
export interface CommandIo {
  readonly stdin: InputStream
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder that the command was called in; absolute. Relative paths of its arguments start here. */
  readonly cwd: string
  /** Calls back at each Ctrl-C, until the returned function is called. */
  onInterrupt(listener: () => void): () => void
  /** Calls back when the system or a supervisor asks the command to end, until the returned function is called. */
  onTermination(listener: () => void): () => void
  now(): number
  /** Calls back once, so many milliseconds from now, until the returned function is called; nothing stays alive for it. */
  later(milliseconds: number, work: () => void): () => void
}

export const processIo = (): CommandIo => ({
  stdin: process.stdin,
  stdout: sized(process.stdout),
  stderr: sized(process.stderr),
  env: process.env,
  cwd: workingFolder(),
  onInterrupt(listener) {
    process.on('SIGINT', listener)
    return () => process.off('SIGINT', listener)
  },
  onTermination(listener) {
    for (const signal of terminations) process.on(signal, listener)
    return () => {
      for (const signal of terminations) process.off(signal, listener)
    }
  },
  now: () => performance.now(),
  later(milliseconds, work) {
    const timer = setTimeout(work, milliseconds).unref()
    return () => clearTimeout(timer)
  },
})

/** Gives a terminal that does not know its size, as a container's or a script's, the usual one. */
export const sized = <Stream extends { isTTY?: boolean; columns?: number; rows?: number }>(stream: Stream): Stream => {
  if (stream.isTTY && !stream.columns) Object.assign(stream, { columns: 80, rows: 24 })
  return stream
}

/** Returns the working folder, also where it was removed. */
const workingFolder = (): string => {
  try {
    return process.cwd()
  } catch {
    return process.env.PWD ?? '/'
  }
}

const terminations = ['SIGTERM', 'SIGHUP'] as const
