import { expect, onTestFinished, test, vi } from 'vitest'
import type { OracleApp } from '../boot/oracle-app.ts'
import { StartError } from '../errors/start-error.ts'
import { runUntilSignal } from './run-until-signal.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

test('a signal right after the notice ends immediately; an earlier one is an echo', async () => {
  const others = signals.flatMap(signal => process.listeners(signal))
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => {}) as never)
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
    for (const signal of signals) {
      for (const listener of process.listeners(signal)) if (!others.includes(listener)) process.off(signal, listener)
    }
  })
  const oracle = {
    listen: async () => ({}),
    close: () => new Promise(() => {}),
    failed: new Promise(() => {}),
  } as unknown as OracleApp
  await runUntilSignal(async () => oracle)
  const own = process.listeners('SIGTERM').find(listener => !others.includes(listener))
  own?.('SIGTERM')
  own?.('SIGTERM')
  expect(exit).not.toHaveBeenCalled()
  // Time does not pass by the clock of the process: timers may fire a moment early.
  vi.advanceTimersByTime(500)
  expect(consoleError).toHaveBeenCalledWith('Stopping; press Ctrl-C again to exit immediately.')
  own?.('SIGTERM')
  expect(exit).toHaveBeenCalledWith(143)
})

test('closes the earlier ones of several oracles when one does not start', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => {
    vi.restoreAllMocks()
    process.exitCode = 0
  })
  const close = vi.fn(async () => {})
  const started = { close, failed: new Promise(() => {}) } as unknown as OracleApp
  const notBooted = vi.fn()
  await runUntilSignal(
    async () => started,
    async () => {
      throw new StartError('The settings of the second are missing.')
    },
    notBooted,
  )
  expect(close).toHaveBeenCalledOnce()
  expect(notBooted).not.toHaveBeenCalled()
  expect(process.exitCode).toBe(3)
  expect(console.error).toHaveBeenCalledWith(expect.stringContaining('The settings of the second are missing.'))
})
