import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { type JSONRPCMessage, ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import type { McpLimits } from '../connection/mcp-limits.ts'
import type { StdioServer } from '../connection/mcp-server-address.ts'
import { withoutNulls } from './absent-nulls.ts'
import { networkEnvironment } from './network-environment.ts'
import type { createProgramOutput } from './program-output.ts'

/** Time in which a program that no longer reads has to exit, in milliseconds. */
const maxExitDelayMs = 2_000

type Child = ChildProcessByStdio<Writable, Readable, Readable>

export interface ProgramEnd {
  readonly code: number | null
  readonly signal: string | null
  /** It sent more than a message may have. */
  readonly sentTooMuch: boolean
  /** It was ended by us. */
  readonly wasClosed: boolean
}

/** A transport over the standard input and output of a program. */
export interface StdioTransport extends Transport {
  /** By this member and the next the SDK knows a transport of a program. */
  readonly stderr: null
  readonly pid: number | null
  /** The end of the program, if it has exited. */
  readonly ended: ProgramEnd | undefined
}

/**
 * Starts a program in a process group of its own, with the environment that it was given and little more, and ends it
 * with all that it started: its input is closed, then SIGTERM, then SIGKILL.
 */
export const createStdioTransport = (
  server: StdioServer,
  { maxMessageBytes, endTimeoutMs }: Pick<McpLimits, 'maxMessageBytes' | 'endTimeoutMs'>,
  output: ReturnType<typeof createProgramOutput>,
): StdioTransport => {
  const input = new ReadBuffer({ maxBufferSize: maxMessageBytes })
  /** The beginning of a message whose end was not read yet. */
  let begun: Buffer[] = []
  let begunBytes = 0
  let child: Child | undefined
  let ended: ProgramEnd | undefined
  let sentTooMuch = false
  let wasClosed = false
  let gone = Promise.resolve()

  const killAll = (signal: NodeJS.Signals) => {
    if (child?.pid === undefined) return
    try {
      process.kill(ownsGroup ? -child.pid : child.pid, signal)
    } catch {
      // No process is left.
    }
  }
  const killNow = () => killAll('SIGKILL')

  const start = () =>
    new Promise<void>((resolve, reject) => {
      const { command, args, env, cwd } = server
      const started: Child = spawn(command, [...args], {
        env: programEnvironment(env),
        cwd,
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: ownsGroup,
        windowsHide: true,
      })
      started.on('error', reject)
      started.on('spawn', () => {
        child = started
        atExit(killNow)
        resolve()
      })
      gone = new Promise(left => {
        started.on('exit', (code, signal) => {
          killNow()
          noLongerAtExit(killNow)
          ended = { code, signal, sentTooMuch, wasClosed }
          // What it wrote last is still on its way; what it started and left behind may hold the pipes open.
          const finish = () => {
            for (const stream of [started.stdin, started.stdout, started.stderr]) stream.destroy()
            output.end()
            left()
            transport.onclose?.()
          }
          const late = setTimeout(finish, 200)
          started.on('close', () => {
            clearTimeout(late)
            finish()
          })
        })
      })
      for (const stream of [started.stdin, started.stdout, started.stderr]) stream.on('error', () => {})
      started.stderr.setEncoding('utf8').on('data', (text: string) => {
        output.write(text)
      })
      started.stdout.on('data', (bytes: Buffer) => read(bytes))
    })

  const read = (bytes: Buffer) => {
    if (sentTooMuch) return
    try {
      const end = bytes.lastIndexOf('\n') + 1
      const whole = end === 0 ? [] : [...begun, bytes.subarray(0, end)]
      if (end > 0) begun = []
      begun.push(bytes.subarray(end))
      begunBytes = (end > 0 ? 0 : begunBytes) + bytes.length - end
      if (begunBytes > maxMessageBytes) throw new RangeError('a message is too large')
      const text = Buffer.concat(whole).toString()
      input.append(Buffer.from(text.split('\n').map(withoutNulls).join('\n')))
    } catch {
      sentTooMuch = true
      killNow()
      return
    }
    for (;;) {
      try {
        const message = input.readMessage()
        if (message === null) return
        transport.onmessage?.(message)
      } catch (error) {
        transport.onerror?.(error instanceof Error ? error : new Error('unreadable'))
      }
    }
  }

  const transport: StdioTransport = {
    stderr: null,
    get pid() {
      return child?.pid ?? null
    },
    get ended() {
      return ended
    },
    start,
    send: (message: JSONRPCMessage) =>
      new Promise((resolve, reject) => {
        if (!child || ended) return reject(new Error('The program has exited.'))
        // Its input closes a moment before its exit is known: who hears of the failure should find the exit code.
        child.stdin.write(serializeMessage(message), error =>
          error ? within(maxExitDelayMs, gone).then(() => reject(error)) : resolve(),
        )
      }),
    async close() {
      if (!child || ended) return
      wasClosed = true
      child.stdin.end()
      if (await within(endTimeoutMs, gone)) return
      killAll('SIGTERM')
      if (await within(endTimeoutMs, gone)) return
      killNow()
      await gone
    },
  }
  return transport
}

const ownsGroup = process.platform !== 'win32'

const within = async (ms: number, done: Promise<void>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>(resolve => {
    timer = setTimeout(resolve, ms, false)
  })
  const inTime = await Promise.race([done.then(() => true), late])
  clearTimeout(timer)
  return inTime
}

/** Each program adds one listener; so many are no leak. */
const atExit = (listener: () => void) => {
  process.setMaxListeners(process.getMaxListeners() + 1)
  process.on('exit', listener)
}

const noLongerAtExit = (listener: () => void) => {
  process.off('exit', listener)
  process.setMaxListeners(Math.max(process.getMaxListeners() - 1, 0))
}

/** Returns the environment of a program: what is safe to inherit, the network's variables, and its own, which win. */
const programEnvironment = (own: Readonly<Record<string, string>>): Record<string, string> => ({
  ...getDefaultEnvironment(),
  ...networkEnvironment(name => process.env[name]),
  ...own,
})
