import type { Readable, Writable } from 'node:stream'

/** Standard input. */
export type InputStream = Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown }

/** An output stream; `columns` on a terminal only. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** The environment of a command, so that tests can replace it. */
export interface CommandIo {
  readonly stdin: InputStream
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly env: Readonly<Record<string, string | undefined>>
  /** The working folder; absolute. Relative paths of arguments start here. */
  readonly cwd: string
  /** Adds a listener for Ctrl-C; the returned function removes it. */
  onInterrupt(listener: () => void): () => void
  /** Adds a listener for requests of the system or a supervisor to stop; the returned function removes it. */
  onTermination(listener: () => void): () => void
  now(): number
  /** Calls back once after this time, unless the returned function is called first; does not keep the process alive. */
  later(milliseconds: number, work: () => void): () => void
}

/** Adds a listener for Ctrl-C and for requests of a supervisor to stop; the returned function removes it. */
export const onStop = (io: Pick<CommandIo, 'onInterrupt' | 'onTermination'>, listener: () => void): (() => void) => {
  const releases = [io.onInterrupt(listener), io.onTermination(listener)]
  return () => {
    for (const release of releases) release()
  }
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

/** Sets the usual size on a terminal that reports none, such as that of a container or a script. */
export const sized = <Stream extends { isTTY?: boolean; columns?: number; rows?: number }>(stream: Stream): Stream => {
  if (stream.isTTY && !stream.columns) Object.assign(stream, { columns: 80, rows: 24 })
  return stream
}

/** Returns the working folder, even if it was removed. */
const workingFolder = (): string => {
  try {
    return process.cwd()
  } catch {
    return process.env.PWD ?? '/'
  }
}

const terminations = ['SIGTERM', 'SIGHUP'] as const
