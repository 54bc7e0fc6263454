import { expect, test } from 'vitest'
import { hungAfterMs, judgeOf, vanishedAfterMs } from './recover-turns.ts'

/** Processes of which these hold a line, seen by one that is in touch for so long. */
const processes = (lines: readonly string[], steadyForMs = 60_000) => ({
  steadyForMs,
  connected: async (ids: readonly string[]) => new Set(ids.filter(id => lines.includes(id))),
})

const silent = (processId: string, silentMs: number) => ({ processId, silentMs })

test('a silent process without a line has vanished, one with a line is hung only after long', async () => {
  const judge = await judgeOf(processes(['holds']), ['holds', 'gone'])
  expect(judge(silent('gone', vanishedAfterMs))).toBe('alive')
  expect(judge(silent('gone', vanishedAfterMs + 1))).toBe('vanished')
  expect(judge(silent('holds', vanishedAfterMs + 1))).toBe('alive')
  expect(judge(silent('holds', hungAfterMs + 1))).toBe('hung')
})

test('a process that was not asked about is alive: it may have taken over what a dead one left', async () => {
  const judge = await judgeOf(processes(['survivor']), ['gone'])
  expect(judge(silent('gone', 60_000))).toBe('vanished')
  expect(judge(silent('survivor', 60_000))).toBe('alive')
})

test('one that was out of touch itself finds nobody dead', async () => {
  const judge = await judgeOf(processes([], vanishedAfterMs - 1), ['gone'])
  expect(judge(silent('gone', 60_000))).toBe('alive')
})
