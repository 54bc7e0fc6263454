import { ToolFailure } from '@sibyl/plugin'
import { createTextRedactor, type LogFields } from '@sibyl/plugin/host'
import { describe, expect, test } from 'vitest'
import { createPinoLogger, type PinoLoggerOptions } from './pino-logger.ts'

const record = (options: Omit<PinoLoggerOptions, 'destination'> = {}) => {
  const lines: string[] = []
  const log = createPinoLogger({ ...options, destination: { write: line => lines.push(line) } })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? 'null') as Record<string, unknown> }
}

/** Returns the JSON line of these fields. */
const written = (fields: LogFields, options: Omit<PinoLoggerOptions, 'destination'> = {}) => {
  const { log, last } = record(options)
  log.info('x', fields)
  const { level: _level, time: _time, msg: _msg, ...rest } = last()
  return rest
}

describe('json lines', () => {
  test('contain level, time, message and fields, one object per line', () => {
    const { log, lines, last } = record()
    log.warn('a tool failed', { plugin: 'weather', ms: 12 })
    expect(last()).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      plugin: 'weather',
      ms: 12,
      msg: 'a tool failed',
    })
    expect(lines[0]?.endsWith('\n')).toBe(true)
  })

  test('are written from their level on', () => {
    const { log, lines } = record({ level: 'warn' })
    log.info('no')
    log.warn('yes')
    log.child({}).error('yes')
    expect(lines).toHaveLength(2)
    const silent = record({ level: 'silent' })
    silent.log.error('no')
    expect(silent.lines).toEqual([])
  })

  test('contain the fields of their logger and its parents; the nearest wins', () => {
    const { log, last } = record()
    log.child({ plugin: 'a', turn: 1 }).child({ turn: 2 }).info('x', { tool: 't' })
    expect(last()).toMatchObject({ plugin: 'a', turn: 2, tool: 't' })
  })

  test('keep their own members if fields have the same names', () => {
    const { log, last } = record()
    log.info('right', { level: 'fatal', time: 0, msg: 'wrong' })
    expect(last()).toMatchObject({ level: 'info', msg: 'right', level_: 'fatal', time_: 0, msg_: 'wrong' })
  })
})

describe('secrets', () => {
  test.each([
    'mnemonic',
    'password',
    'PASSWORD',
    'token',
    'accessToken',
    'authorization',
    'Proxy-Authorization',
    'secret',
    'clientSecret',
    'pin',
    'apiKey',
    'api_key',
    'OPENAI_API_KEY',
    'PIN_ENCRYPTION_KEY',
    'privateKey',
    'keyMaterial',
    'phoneNumber',
    'phone_number',
    'set-cookie',
    'ORACLE_OPERATOR_TOKEN',
  ])('are redacted under the name %s at any depth', name => {
    expect(written({ [name]: 'hunter2' })).toEqual({ [name]: '[redacted]' })
    expect(written({ a: [{ b: new Map([[name, { x: 'hunter2' }]]) }] })).toEqual({
      a: [{ b: { [name]: '[redacted]' } }],
    })
  })

  test('similar names are shown', () => {
    const harmless = {
      tokens: 312,
      inputTokens: 5,
      key: 'daily',
      pinned: 'x',
      keyboard: 'qwerty',
      hasPassword: true,
      secretary: 'Ada',
    }
    expect(written(harmless)).toEqual(harmless)
  })

  test('a known value is redacted everywhere, in keys, messages and errors too', () => {
    const { log, lines } = record({ redact: createTextRedactor(['hunter2-and-more', 'hunter2', 'a.c+e/g']) })
    log.child({ from: 'hunter2' }).error('login with hunter2-and-more failed', {
      text: 'x hunter2 y hunter2',
      hunter2: 1,
      literal: 'abc+e/g a.c+e/g',
      error: new Error('bad hunter2', { cause: new Error('hunter2') }),
    })
    expect(lines.join()).not.toContain('hunter2')
    expect(lines.join()).not.toContain('-and-more')
    expect(lines.join()).toContain('abc+e/g [redacted]')
  })

  test('are redacted in every common encoding', () => {
    const secret = 'p/ss wörd+"1'
    const bytes = Buffer.from(secret)
    const forms = [
      secret,
      encodeURIComponent(secret),
      ...(['base64', 'base64url', 'hex'] as const).map(form => bytes.toString(form)),
    ]
    for (const form of forms) {
      const text = JSON.stringify(written({ text: `before ${form} after` }, { redact: createTextRedactor([secret]) }))
      expect(text).toMatch(/^\{"text":"before \[redacted\]=* after"\}$/)
    }
  })

  test('a known value that is too short is left alone', () => {
    expect(written({ text: 'in the end' }, { redact: createTextRedactor(['the', '']) })).toEqual({ text: 'in the end' })
  })

  test('credentials are redacted by their format', () => {
    const token = `eyJhbGciOiJFZERTQSJ9.${'a'.repeat(40)}.${'b'.repeat(40)}`
    expect(
      written({
        header: 'Bearer abcdefgh12345678',
        basic: 'Authorization: Basic dXNlcjpwYXNz',
        answer: `got ${token}!`,
        exchange: `{"token":"sibyl_${'a-_Z9'.repeat(8)}xyz"}`,
        url: 'postgres://sibyl:hunter2@localhost:5432/sibyl',
        plain: 'https://example.org:8080/a@b',
      }),
    ).toEqual({
      header: 'Bearer [redacted]',
      basic: 'Authorization: Basic [redacted]',
      answer: 'got [redacted]!',
      exchange: '{"token":"[redacted]"}',
      url: 'postgres://sibyl:[redacted]@localhost:5432/sibyl',
      plain: 'https://example.org:8080/a@b',
    })
  })
})

describe('errors', () => {
  test('contain name, code and message, with causes, and without a stack', () => {
    const cause = Object.assign(new Error('connect'), {
      code: 'ECONNREFUSED',
      password: 'hunter2',
      address: '10.0.0.1',
    })
    const { error } = written({ error: new TypeError('fetch failed', { cause }) })
    expect(error).toEqual({
      name: 'TypeError',
      message: 'fetch failed',
      cause: { name: 'Error', code: 'ECONNREFUSED', message: 'connect' },
    })
  })

  test('contain their code when they are ours', () => {
    expect(written({ error: new ToolFailure('No such city.') })).toEqual({
      error: { name: 'ToolFailure', code: 'tool_failed', message: 'No such city.' },
    })
  })

  test('contain their stacks at level debug and below', () => {
    const { error } = written({ error: new Error('x') }, { level: 'debug' }) as { error: { stack: string } }
    expect(error.stack).toContain('pino-logger.test.ts')
  })

  test('are written even if they are cyclic or aggregates', () => {
    const one = new Error('one')
    one.cause = new Error('two', { cause: one })
    expect(JSON.stringify(written({ one }))).toContain('[circular]')
    expect(written({ error: new AggregateError([new Error('a'), new Error('b')], 'both') })).toMatchObject({
      error: { message: 'both', errors: [{ message: 'a' }, { message: 'b' }] },
    })
  })
})

describe('any value', () => {
  const circle: Record<string, unknown> = { name: 'circle' }
  circle.self = circle
  const shared = { x: 1 }
  const throwing = {
    get broken(): never {
      throw new Error('x')
    },
    fine: 1,
  }
  const hostile = new Proxy(
    {},
    {
      ownKeys() {
        throw new Error('x')
      },
    },
  )

  test.each([
    ['a circle', circle, { name: 'circle', self: '[circular]' }],
    ['the same object twice', { a: shared, b: shared }, { a: { x: 1 }, b: { x: 1 } }],
    ['a big integer', 10n ** 20n, '100000000000000000000'],
    ['no number', Number.NaN, 'NaN'],
    ['a function', () => 1, '[function]'],
    ['a symbol', Symbol('s'), '[symbol]'],
    ['binary data', new Uint8Array(32), '[32 bytes]'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['no date', new Date('x'), 'Invalid Date'],
    ['a URL', new URL('https://a.example/?x=1'), 'https://a.example/?x=1'],
    ['a set', new Set([1, 2]), [1, 2]],
    ['a getter that throws', throwing, { broken: '[unreadable]', fine: 1 }],
    ['a hostile proxy', hostile, '[unreadable]'],
    ['null', null, null],
  ])('%s is written', (_, value, expected) => {
    expect(written({ value })).toEqual({ value: expected })
  })

  test('huge values are truncated', () => {
    const deep: Record<string, unknown> = {}
    let inner = deep
    for (let level = 0; level < 100; level += 1) {
      const next = {}
      inner.deeper = next
      inner = next
    }
    const { log, lines } = record()
    log.info('x', {
      text: 'y'.repeat(10_000_000),
      list: Array.from({ length: 100_000 }, () => 'z'),
      object: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, index])),
      deep,
    })
    expect(lines[0]!.length).toBeLessThan(10_000)
    expect(lines[0]).toContain('(10000000 characters)')
    expect(lines[0]).toContain('… 99950 more')
  })

  test('a message that is not text is written', () => {
    const { log, last } = record()
    log.info({ toString: () => 'odd' } as never)
    expect(last().msg).toBe('odd')
    log.info('100 %s %d %j', { a: 1 })
    expect(last().msg).toBe('100 %s %d %j')
    log.info('x', null as never)
    expect(last().msg).toBe('x')
  })
})

describe('pretty lines', () => {
  test('contain time, level, message and facts on one line, without color by default', () => {
    const { log, lines } = record({ format: 'pretty' })
    log.info('a request', { path: '/chat', ms: 3.2, text: 'two words', list: [1, { a: 'b' }] })
    expect(lines[0]).toMatch(
      /^\d\d:\d\d:\d\d info {2}a request {2}path=\/chat ms=3.2 text="two words" list=\[1,\{"a":"b"\}\]\n$/,
    )
  })

  test('color the level if requested', () => {
    const { log, lines } = record({ format: 'pretty', colour: true })
    log.error('x')
    expect(lines[0]).toContain('\u001b[31merror\u001b[39m')
  })

  test('text cannot fake another line or inject terminal sequences', () => {
    const { log, lines } = record({ format: 'pretty' })
    log.warn('one\n[boot] ready\r\u001b[2J\u202e', { 'a\nb': 'c\nd', error: new Error('e\nf') })
    expect(lines[0]!.match(/\n/g)).toHaveLength(1)
    expect(lines[0]).not.toContain('\u001b')
    expect(lines[0]).not.toContain('\u202e')
    expect(lines[0]).toContain('one\\n[boot] ready')
  })

  test('end with an error, followed by its stack at level debug', () => {
    const { log, lines } = record({ format: 'pretty', level: 'debug' })
    log.error('failed', { error: new TypeError('bad'), plugin: 'a' })
    const [head, frame] = lines[0]!.split('\n')
    expect(head).toMatch(/failed {2}plugin=a error="TypeError: bad"$/)
    expect(frame).toMatch(/^ {4}at /)
  })
})
