import { expect, test } from 'vitest'
import { hungAfterMs, judgeOf, vanishedAfterMs } from './recover-turns.ts'

/** Creates processes of which these have a line, as seen by one that has been in touch for this time. */
const processes = (lines: readonly string[], steadyForMs = 60_000) => ({
  steadyForMs,
  connected: async (ids: readonly string[]) => new Set(ids.filter(id => lines.includes(id))),
})

const silent = (processId: string, silentMs: number) => ({ processId, silentMs })

test('a silent process without a line has vanished; with a line it is hung only after a long time', async () => {
  const judge = await judgeOf(processes(['holds']), ['holds', 'gone'])
  expect(judge(silent('gone', vanishedAfterMs))).toBe('alive')
  expect(judge(silent('gone', vanishedAfterMs + 1))).toBe('vanished')
  expect(judge(silent('holds', vanishedAfterMs + 1))).toBe('alive')
  expect(judge(silent('holds', hungAfterMs + 1))).toBe('hung')
})

test('a process that was not checked counts as running: it may have taken over turns of a crashed one', async () => {
  const judge = await judgeOf(processes(['survivor']), ['gone'])
  expect(judge(silent('gone', 60_000))).toBe('vanished')
  expect(judge(silent('survivor', 60_000))).toBe('alive')
})

test('a process that was out of touch itself marks no other as crashed', async () => {
  const judge = await judgeOf(processes([], vanishedAfterMs - 1), ['gone'])
  expect(judge(silent('gone', 60_000))).toBe('alive')
})
