import { defineTool, type Tool, type ToolCall, ToolFailure } from '@sibyl/plugin'
import { createTextRedactor } from '@sibyl/plugin/host'
import { createPinoLogger } from '@sibyl/telemetry'
import { scriptedModel, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { officePlugin } from '../testing/office-plugin.ts'

const never = new Promise<never>(() => {})

const secret = 'sk-very-secret-key-1234'

/** Runs one tool once, followed by an answer of the model. */
const runTool = async (execute: (input: unknown, call: ToolCall) => unknown, more: Partial<Tool> = {}) => {
  const tool = defineTool({
    description: 'Does something odd.',
    input: z.object({}).loose(),
    effect: 'read',
    ...more,
    execute: execute as Tool['execute'],
  })
  const lines: string[] = []
  const logger = createPinoLogger({
    level: 'trace',
    redact: createTextRedactor([secret]),
    destination: { write: line => lines.push(line) },
  })
  const model = scriptedModel([{ tool: 'odd', id: 'c1' }, 'and on'])
  await using oracle = await testApp({ plugins: [officePlugin({ tools: { odd: tool as Tool } })], model, logger })
  const { events, text, last } = await oracle.chat('hi', { session: 's1' })
  expect([text, last?.type]).toEqual(['and on', 'finish'])
  const result = events.find(({ type }) => type === 'tool-output-available' || type === 'tool-output-error')
  const prompt = JSON.stringify(model.calls[1]?.prompt)
  const session = await (await oracle.actor.request('/sessions/s1')).text()
  return { result, events, log: lines.join(''), everywhere: prompt + session + JSON.stringify(events), prompt }
}

describe('an error thrown by a tool', () => {
  test('is masked for the model and the user, and logged without secrets', async () => {
    const { result, log, everywhere } = await runTool(() => {
      throw new Error(`cannot reach db.internal with ${secret}`)
    })
    expect(result?.errorText).toBe("'odd' failed with an internal error. Try again later.")
    expect(everywhere).not.toMatch(/db\.internal|sk-very/)
    expect(log).toContain('cannot reach db.internal with [redacted]')
    expect(log).not.toContain(secret)
  })

  test('that is a ToolFailure is shown, without its cause', async () => {
    const { result, prompt, log, everywhere } = await runTool(async () => {
      throw new ToolFailure('The pump is off.', { cause: new Error('db.internal') })
    })
    expect(result?.errorText).toBe('The pump is off.')
    expect(prompt).toContain('The pump is off.')
    expect(everywhere).not.toContain('db.internal')
    expect(log).toContain('db.internal')
  })

  for (const [name, thrown] of [
    ['undefined', undefined],
    ['null', null],
    ['a text', 'db.internal'],
    ['a frozen object', Object.freeze({ message: 'db.internal' })],
    [
      'an object that cannot be read',
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('db.internal')
          },
        },
      ),
    ],
  ] as const) {
    test(`${name} is masked`, async () => {
      const { result, everywhere } = await runTool(async () => {
        throw thrown
      })
      expect(result?.errorText).toBe("'odd' failed with an internal error. Try again later.")
      expect(everywhere).not.toContain('db.internal')
    })
  }

  test('after a failed write carries the advice to check, not to retry', async () => {
    const { result } = await runTool(
      () => {
        throw new Error('x')
      },
      { effect: 'write' },
    )
    expect(result?.errorText).toContain('Check whether it took effect before you repeat it.')
  })
})

describe('the result of a tool', () => {
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  const usable = [
    ['nothing', undefined, null],
    ['null', null, null],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a map', new Map([['a', 1]]), {}],
    ['a key __proto__', JSON.parse('{"__proto__":{"x":1},"a":1}'), JSON.parse('{"__proto__":{"x":1},"a":1}')],
  ] as const
  for (const [name, given, expected] of usable) {
    test(`${name} becomes JSON`, async () => {
      const { result } = await runTool(async () => given)
      expect(result).toMatchObject({ type: 'tool-output-available' })
      expect(JSON.stringify(result?.output)).toBe(JSON.stringify(expected))
    })
  }
  const unusable = [
    ['a big integer', 1n],
    ['a circle', cyclic],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    [
      'an object whose toJSON throws',
      {
        toJSON() {
          throw new Error('db.internal')
        },
      },
    ],
  ] as const
  for (const [name, given] of unusable) {
    test(`${name} is an error with the reason`, async () => {
      const { result, everywhere } = await runTool(async () => given)
      expect(result?.errorText).toBe("'odd' returned an invalid value.")
      expect(everywhere).not.toContain('db.internal')
    })
  }

  test('of 10 MB is rejected with the size', async () => {
    const { result, everywhere } = await runTool(async () => 'x'.repeat(10_000_000))
    expect(result?.errorText).toContain('is too large (10000002 characters, at most 256000)')
    expect(everywhere.length).toBeLessThan(20_000)
  })

  test('that does not match the output schema is an error, after a write with a warning not to repeat it', async () => {
    const output = z.object({ id: z.number() })
    const { result, everywhere } = await runTool(async () => ({ id: 'db.internal' }), { output, effect: 'write' })
    expect(result?.errorText).toBe("'odd' was run, do not repeat it. 'odd' returned an invalid value.")
    expect(everywhere).not.toContain('db.internal')
  })

  test('omits members that the output schema does not name', async () => {
    const { result } = await runTool(async () => ({ id: 1, password: 'x' }), { output: z.object({ id: z.number() }) })
    expect(result?.output).toEqual({ id: 1 })
  })
})

describe('the timeout of a tool', () => {
  test('ends one that never settles and ignores its signal', async () => {
    const { result } = await runTool(() => never, { timeLimitSeconds: 0.05 })
    expect(result?.errorText).toBe("'odd' did not answer within 0.05 s.")
  })

  test('aborts its signal', async () => {
    const reason = Promise.withResolvers<unknown>()
    await runTool(
      (_, { signal }) => {
        signal.addEventListener('abort', () => reason.resolve(signal.reason))
        return never
      },
      { timeLimitSeconds: 0.05 },
    )
    expect(String(await reason.promise)).toContain('the time limit was exceeded')
  })

  test('reports the outcome of an ended write as unknown', async () => {
    const { result } = await runTool(() => never, { timeLimitSeconds: 0.05, effect: 'write' })
    expect(result?.errorText).toContain('Its effects are unknown; check before you repeat it.')
  })

  test('beyond the range of timers does not expire immediately', async () => {
    const { result } = await runTool(async () => 'fine', { timeLimitSeconds: 10_000_000 })
    expect(result?.output).toBe('fine')
  })
})

describe('data that a tool emits', () => {
  test('reaches the stream and the session as it was at that moment', async () => {
    const data = { step: 1 }
    const { events, everywhere } = await runTool(async (_, call) => {
      call.emit({ name: 'progress', data })
      data.step = 2
      return null
    })
    expect(events.find(({ type }) => type === 'data-progress')?.data).toEqual({ step: 1 })
    expect(everywhere).not.toContain('"step":2')
  })

  test('is dropped and logged if invalid; the call continues', async () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    const invalid: unknown[] = [
      undefined,
      null,
      'x',
      {},
      { name: 'big', data: 1n },
      { name: 'round', data: cyclic },
      { name: 'none' },
      { name: 'code', data: () => 1 },
      { name: 'huge', data: 'x'.repeat(300_000) },
      { name: 'Bad Name', data: 1 },
      { name: 1, data: 1 },
      { name: 'notice', data: { code: 'x', text: 'not from core' } },
      { name: 'capability', data: { name: 'x', tools: [], tokens: 0 } },
    ]
    const { events, result, log } = await runTool(async (_, call) => {
      for (const part of invalid) call.emit(part as never)
      return 'fine'
    })
    expect(result?.output).toBe('fine')
    expect(events.filter(({ type }) => type.startsWith('data-'))).toEqual([])
    expect(log.match(/a tool added an invalid part/g)?.length).toBe(invalid.length)
  })
})
