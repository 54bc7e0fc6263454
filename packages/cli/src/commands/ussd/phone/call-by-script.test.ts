import { describe, expect, it } from 'vitest'
import { run } from '../../../main.ts'
import { FakeTerminal } from '../../chat/terminal.test.helper.ts'
import { type GatewayAnswer, welcome } from '../gateway.test.helper.ts'
import { script, serve } from '../run-ussd.test.helper.ts'

describe('sibyl ussd in a script', () => {
  it('types one answer per line, without frames and colors', async () => {
    const gateway = await serve()
    const { code, raw } = await script(gateway.url, ['*1234#'], '1\r\n\n2\n*\n')
    expect(raw).toBe(
      [
        ['▸ *1234#', welcome, '— 60/182', ''],
        ['▸ 1', 'You typed 1', '*. Exit', '— 19/182', ''],
        ['▸ 2', 'You typed 1*2', '*. Exit', '— 21/182', ''],
        ['▸ *', 'Goodbye.', '— 8/182, the session has ended', ''],
      ]
        .map(lines => lines.join('\n'))
        .join('\n'),
    )
    expect(code).toBe(0)
  })

  it('fails if a line is left when the session has ended', async () => {
    const gateway = await serve()
    const { code, errors } = await script(gateway.url, [], '*\n1\n')
    expect(code).toBe(1)
    expect(errors).toContain('No session is open')
  })

  it('prints the last screen only with --once', async () => {
    const gateway = await serve()
    expect(await script(gateway.url, ['--once', '1*2'])).toMatchObject({ code: 0, raw: 'You typed 1*2\n*. Exit\n' })
    expect(await script(gateway.url, ['--once', ''])).toMatchObject({ code: 0, raw: `${welcome}\n` })
    expect(await script(gateway.url, ['--once', '1**'])).toMatchObject({ code: 0, raw: 'Goodbye.\n' })
    const early = await script(gateway.url, ['--once', '**2'])
    expect(early).toMatchObject({ code: 1, raw: 'Goodbye.\n' })
    expect(early.errors).toContain('The session ended before 2 was sent.')
    expect(await script(gateway.url, ['--once', '1*'])).toMatchObject({ code: 2, raw: '' })
  })

  it('sends the last answer only with --last', async () => {
    const gateway = await serve()
    await script(gateway.url, ['--last', '--once', '1*2'])
    expect(gateway.requests.map(it => it.text)).toEqual(['', '1', '2'])
  })

  it('prints only JSON on stdout', async () => {
    const gateway = await serve(() => 'END Bye \u202e\u001b')
    const { raw, code } = await script(gateway.url, ['--json', '--once', ''])
    expect(raw).toMatch(/^[\x20-\x7e]*\n$/)
    expect(JSON.parse(raw)).toEqual({
      typed: '',
      kind: 'end',
      text: 'Bye \u202e\u001b',
      encoding: 'ucs2',
      length: 6,
      limit: 80,
      sessionId: gateway.requests[0]?.sessionId,
      phoneNumber: '+447700900001',
      serviceCode: '*1234#',
    })
    expect(code).toBe(0)
    const all = await script((await serve()).url, ['--json'], '1\n*\n')
    const kinds = all.raw.split('\n', 3).map(line => JSON.parse(line))
    expect(kinds.map(it => [it.typed, it.kind])).toEqual([
      ['', 'continue'],
      ['1', 'continue'],
      ['*', 'end'],
    ])
  })

  it.each<[string, number, string, GatewayAnswer]>([
    ['no CON or END', 4, 'This is not a USSD gateway', 'hello'],
    ['a page', 4, 'answered 200 with text/html', it => it.setHeader('content-type', 'text/html').end('CON x')],
    ['a plugin that is off', 4, 'Enable it with PIN_ENCRYPTION_KEY', it => it.writeHead(401).end('{}')],
    ['another service', 4, 'Enable it with PIN_ENCRYPTION_KEY', it => it.writeHead(404).end()],
    ['a redirect', 4, 'answered 302', it => it.writeHead(302, { location: 'http://127.0.0.1:9' }).end()],
    ['a cut connection', 4, 'No oracle responds', it => it.destroy()],
    ['much', 4, 'This is not a USSD gateway', `CONX${'x'.repeat(100_000)}`],
    [
      'too many requests',
      1,
      'rejects further requests for now (HTTP 429).\n       Try again in 30 s.',
      it => it.writeHead(429, { 'content-type': 'text/plain', 'retry-after': '30' }).end('END Too many requests.'),
    ],
  ])('describes an unexpected response of %s', async (_, expected, words, answer) => {
    const gateway = await serve(() => answer)
    const { code, errors, raw } = await script(gateway.url, ['--once', ''])
    expect(errors).toContain(words)
    expect(code).toBe(expected)
    expect(raw).toBe(expected === 1 ? 'Too many requests.\n' : '')
  })

  it('is authorized by the secret of a gateway, and reports if it is required', async () => {
    const gateway = await serve(() => response => {
      const known = response.req.headers['x-gateway-secret'] === 'open sesame'
      response.writeHead(known ? 200 : 403, { 'content-type': 'text/plain' })
      response.end(known ? 'CON Hello' : 'END No.')
    })
    const refused = await script(gateway.url, ['--once', ''])
    expect(refused).toMatchObject({ code: 1, raw: 'No.\n' })
    expect(refused.errors).toContain('Set USSD_GATEWAY_SECRET to the value')
    const env = { USSD_GATEWAY_SECRET: 'open sesame' }
    expect(await script(gateway.url, ['--once', ''], '', env)).toMatchObject({ code: 0, raw: 'Hello\n' })
  })

  it('fails if the replies to a duplicate request differ', async () => {
    const gateway = await serve((_, index) => `CON Number ${index}`)
    const { code, errors } = await script(gateway.url, ['--twice', '--once', ''])
    expect(errors).toContain('the second reply differs')
    expect(code).toBe(1)
    expect(gateway.requests).toHaveLength(2)
  })

  it('reports a screen that is longer than a message, and input that is longer than a request', async () => {
    const gateway = await serve(({ text }) => (text === '' ? 'CON ?' : `CON ${'x'.repeat(183)}`))
    const { errors } = await script(gateway.url, ['--once', 'y'.repeat(183)])
    expect(errors).toContain('The session text is now 183 characters long; a gateway accepts 182.')
    expect(errors).toContain('The reply is longer than one message')
  })

  it('exits with 130 at SIGINT', async () => {
    const gateway = await serve(() => undefined)
    const terminal = new FakeTerminal({ SIBYL_URL: gateway.url }, false)
    const ended = run(['ussd'], terminal.io)
    await terminal.until('▸ *1234#')
    terminal.interrupt()
    expect(await ended).toBe(130)
  })
})

it.each([
  [['1234'], "Expected a code in quotes, such as '*1234#'."],
  [['*1234'], 'Expected a code in quotes'],
  [['--phone', '0971234567'], 'Expected a number such as +447700900002.'],
  [['--slow', 'x'], 'Expected seconds from 0 to 99.'],
  [['--record', 'a', '--replay', 'b'], 'cannot be used with'],
  [['--url', 'nonsense'], '--url is not the address of an oracle.'],
])('sibyl ussd %j is a usage error with a suggestion', async (args, words) => {
  const { code, errors, raw } = await script('http://127.0.0.1:9', args)
  expect(code).toBe(2)
  expect(errors).toContain(words)
  expect(raw).toBe('')
})
