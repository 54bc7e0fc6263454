import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'
import { type SimulatedProcess, startTime, type World } from './world.ts'

/** A timer of a simulated process, as Node's. */
class SimulatedTimer {
  readonly #plan: () => () => void
  #forget: () => void

  constructor(plan: () => () => void) {
    this.#plan = plan
    this.#forget = plan()
  }

  clear(): void {
    this.#forget()
  }

  refresh(): this {
    this.#forget()
    this.#forget = this.#plan()
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return true
  }

  [Symbol.dispose](): void {
    this.clear()
  }
}

/** A timer may fire late, as on a busy event loop. */
const maxLateMs = 3

/**
 * Gives the code of the simulated processes the time, timers and chance of a world. All other code has those of Node.
 *
 * @returns what takes it back
 */
export const replaceGlobals = (world: World): (() => void) => {
  const undo: (() => void)[] = []
  const replace = <Target extends object, Name extends keyof Target>(
    target: Target,
    name: Name,
    simulated: (process: SimulatedProcess, ...args: never[]) => unknown,
  ): void => {
    const real = target[name] as (...args: unknown[]) => unknown
    const chosen = (...args: unknown[]) => {
      const { process } = world
      return process ? simulated(process, ...(args as never[])) : real.apply(target, args)
    }
    target[name] = Object.assign(chosen, real) as Target[Name]
    undo.push(() => {
      target[name] = real as Target[Name]
    })
  }
  const later = (process: SimulatedProcess, delayMs: number, run: () => void) => {
    const ms = Number.isFinite(delayMs) ? Math.max(1, Math.trunc(delayMs)) : 1
    return new SimulatedTimer(() => world.plan(ms + world.random.integer(0, maxLateMs), process, run))
  }
  const soon = (process: SimulatedProcess, run: () => void) => new SimulatedTimer(() => world.plan(0, process, run))
  const pausing =
    (start: (process: SimulatedProcess, run: () => void) => SimulatedTimer) =>
    (process: SimulatedProcess, value?: unknown, options?: { readonly signal?: AbortSignal }) =>
      new Promise((resolve, reject) => {
        options?.signal?.throwIfAborted()
        const timer = start(process, () => resolve(value))
        options?.signal?.addEventListener('abort', () => {
          timer.clear()
          reject(options.signal?.reason)
        })
      })

  replace(globalThis, 'setTimeout', (process, run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    later(process, ms, () => run(...args)),
  )
  replace(globalThis, 'setInterval', (process, run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const timer = later(process, ms, () => {
      timer.refresh()
      run(...args)
    })
    return timer
  })
  replace(globalThis, 'setImmediate', (process, run: (...args: unknown[]) => void, ...args: unknown[]) =>
    soon(process, () => run(...args)),
  )
  for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate'] as const) {
    const real = globalThis[name] as (timer: unknown) => void
    globalThis[name] = (timer: unknown) => (timer instanceof SimulatedTimer ? timer.clear() : real(timer))
    undo.push(() => {
      globalThis[name] = real
    })
  }
  replace(timersPromises, 'setTimeout', (process, ms = 0, value?: unknown, options?: { signal?: AbortSignal }) =>
    pausing((owner, run) => later(owner, ms, run))(process, value, options),
  )
  replace(timersPromises, 'setImmediate', pausing(soon))
  replace(AbortSignal, 'timeout', (process, ms: number) => {
    const controller = new AbortController()
    later(process, ms, () => controller.abort(new DOMException('The operation timed out.', 'TimeoutError')))
    return controller.signal
  })

  const RealDate = Date
  const now = (process: SimulatedProcess) => startTime + world.now + process.clockMs
  class SimulatedDate extends RealDate {
    constructor(...args: unknown[]) {
      const { process } = world
      super(...((args.length === 0 && process ? [now(process)] : args) as [number]))
    }
    static override now(): number {
      return world.process ? now(world.process) : RealDate.now()
    }
  }
  globalThis.Date = SimulatedDate as DateConstructor
  undo.push(() => {
    globalThis.Date = RealDate
  })
  replace(performance, 'now', process => world.now - process.startedAt)
  replace(Math, 'random', () => world.random.next())

  const bytes = (length: number) => Buffer.from(world.random.bytes(length))
  const uuid = () => {
    const hex = bytes(16).toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
  }
  replace(crypto, 'randomUUID', uuid)
  replace(crypto, 'randomBytes', (_, length: number) => bytes(length))
  replace(crypto, 'randomInt', (_, least: number, beyond?: number) =>
    beyond === undefined ? world.random.integer(0, least - 1) : world.random.integer(least, beyond - 1),
  )
  replace(globalThis.crypto, 'randomUUID', uuid)
  replace(globalThis.crypto, 'getRandomValues', (_, into: Uint8Array) => {
    into.set(world.random.bytes(into.length))
    return into
  })
  syncBuiltinESMExports()
  return () => {
    for (const one of undo.toReversed()) one()
    syncBuiltinESMExports()
  }
}
