import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { run } from '../../main.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { type GatewayAnswer, menus, startGateway, welcome } from './gateway.test.helper.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const serve = async (...given: Parameters<typeof startGateway>) => {
  const gateway = await startGateway(...given)
  cleanups.push(() => gateway.close())
  return gateway
}

const folder = async () => {
  const path = await mkdtemp(join(tmpdir(), 'sibyl-ussd-'))
  cleanups.push(() => rm(path, { recursive: true, force: true }))
  return path
}

/** Runs the command with what is piped in. */
const script = async (url: string, args: readonly string[], stdin = '', env = {}) => {
  const terminal = new FakeTerminal({ SIBYL_URL: url, ...env }, false)
  terminal.stdin.end(stdin)
  const code = await run(['ussd', ...args], terminal.io)
  return { code, text: terminal.text, errors: terminal.errors, raw: terminal.raw }
}

/** Opens the phone on a terminal. */
const hand = (url: string, args: readonly string[] = [], columns = 80) => {
  const terminal = new FakeTerminal({ SIBYL_URL: url }, true, columns)
  return { terminal, ended: run(['ussd', ...args], terminal.io) }
}

describe('sibyl ussd on a terminal', () => {
  it('dials, answers, ends and dials again, the text growing by each answer', async () => {
    const gateway = await serve()
    const { terminal, ended } = hand(gateway.url, ['*1234#', '--phone', '+260971234567'])
    await terminal.until('│ Welcome to Field Oracle │')
    await terminal.until('60/182 ┘\nreply ▸ ')
    terminal.type('1\r')
    await terminal.until('│ You typed 1 ')
    terminal.type('2\r')
    await terminal.until('│ You typed 1*2 ')
    await terminal.until('reply ▸ ')
    terminal.type('*\r')
    await terminal.until('│ Goodbye. ')
    await terminal.until('The session has ended. Enter dials again.\ndial ▸ ')
    terminal.type('\r')
    await terminal.until('│ Welcome')
    await terminal.until('reply ▸ ')
    terminal.type('\u0004')
    expect(await ended).toBe(0)
    expect(gateway.requests.map(it => it.text)).toEqual(['', '1', '1*2', '1*2**', ''])
    const facts = gateway.requests.map(it => `${it.serviceCode} ${it.phoneNumber}`)
    expect(new Set(facts)).toEqual(new Set(['*1234# +260971234567']))
    const ids = gateway.requests.map(it => it.sessionId)
    expect([new Set(ids).size, new Set(ids.slice(0, 4)).size]).toEqual([2, 1])
  })

  it('asks again for an empty answer, and types what begins with two slashes', async () => {
    const gateway = await serve()
    const { terminal, ended } = hand(gateway.url)
    await terminal.until('reply ▸ ')
    terminal.type('\r')
    await terminal.until('A phone sends no empty answer.')
    await terminal.until('reply ▸ ')
    terminal.type('//x\r')
    await terminal.until('│ You typed /x ')
    terminal.type('/nonsense\r')
    await terminal.until('The phone has no such command.')
    terminal.type('/help\r')
    await terminal.until('/twice ')
    terminal.type('/quit\r')
    expect(await ended).toBe(0)
    expect(gateway.requests.map(it => it.text)).toEqual(['', '/x'])
  })

  it('Ctrl-C cancels the session, and leaves where there is none', async () => {
    const gateway = await serve()
    const { terminal, ended } = hand(gateway.url)
    await terminal.until('reply ▸ ')
    terminal.type('12\u0003')
    await terminal.until('Cancelled. Enter dials again, Ctrl-C leaves.\ndial ▸ ')
    terminal.type('5\r')
    await terminal.until('No session is open, and that is no code.')
    await terminal.until('dial ▸ ')
    terminal.type('*99*1#\r')
    await terminal.until('reply ▸ ')
    terminal.interrupt()
    await terminal.until('Cancelled.')
    await terminal.until('dial ▸ ')
    terminal.type('\u0003')
    expect(await ended).toBe(130)
    expect(gateway.requests.map(it => it.serviceCode)).toEqual(['*1234#', '*99*1#'])
  })

  it('Ctrl-C gives up the wait for a reply', async () => {
    const gateway = await serve(request => (request.text === '' ? menus(request) : undefined))
    const { terminal, ended } = hand(gateway.url)
    await terminal.until('reply ▸ ')
    terminal.type('1\r')
    await terminal.until('…')
    terminal.type('2\r')
    terminal.type('\u0003')
    await terminal.until('Cancelled. Enter dials again, Ctrl-C leaves.\ndial ▸ ')
    terminal.type('/record /nowhere/at/all\r')
    await terminal.until('The recording cannot be written (ENOENT).')
    terminal.type('/quit\r')
    expect(await ended).toBe(0)
    expect(terminal.text).not.toContain('that is no code')
  })

  it('has another phone in hand, with a session of its own, and the first one keeps its own', async () => {
    const gateway = await serve()
    const { terminal, ended } = hand(gateway.url)
    await terminal.until('reply ▸ ')
    terminal.type('1\r')
    await terminal.until('You typed 1 ')
    terminal.type('/phone +260971234567\r')
    await terminal.until('The phone in hand is +260971234567.\ndial ▸ ')
    terminal.type('\r')
    await terminal.until('Welcome')
    terminal.type('/phone +447700900001\r')
    await terminal.until('You typed 1 ')
    await terminal.until('reply ▸ ')
    terminal.type('2\r')
    await terminal.until('You typed 1*2 ')
    terminal.type('/phone 0971\r')
    await terminal.until('A phone number looks like')
    terminal.type('/quit\r')
    expect(await ended).toBe(0)
    const [first, , other, back] = gateway.requests
    expect(back).toEqual({ ...first, text: '1*2' })
    expect(other).toMatchObject({ phoneNumber: '+260971234567', text: '' })
    expect(other?.sessionId).not.toBe(first?.sessionId)
  })

  it('keeps the session while no oracle answers, and sends the same again', async () => {
    const gateway = await startGateway()
    const { terminal, ended } = hand(gateway.url)
    await terminal.until('reply ▸ ')
    await gateway.close()
    terminal.type('1\r')
    await terminal.until(`No oracle answers at ${gateway.url}`)
    await terminal.until('Start one (`pnpm dev` in its folder)')
    await terminal.until('The session is as it was: the same answer may be typed again.')
    await terminal.until('reply ▸ ')
    const restarted = await serve(menus, Number(new URL(gateway.url).port))
    terminal.type('1\r')
    await terminal.until('│ You typed 1 ')
    terminal.type('/quit\r')
    expect(await ended).toBe(0)
    expect(restarted.requests).toMatchObject([{ text: '1', sessionId: gateway.requests[0]?.sessionId }])
  })

  it('delivers twice when asked to, and says when the replies differ', async () => {
    const gateway = await serve((request, index) => (index < 3 ? menus(request) : `CON Number ${index}`))
    const { terminal, ended } = hand(gateway.url)
    await terminal.until('reply ▸ ')
    terminal.type('/twice\r')
    await terminal.until('Each request is delivered twice at once.')
    terminal.type('1\r')
    await terminal.until('│ You typed 1 ')
    terminal.type('2\r')
    await terminal.until('The request was delivered twice, and the second reply was another:\n┌')
    terminal.type('/quit\r')
    expect(await ended).toBe(0)
    expect(gateway.requests.map(it => it.text)).toEqual(['', '1', '1', '1*2', '1*2'])
  })

  it('types a paste line by line, and stops where it goes wrong', async () => {
    const gateway = await serve()
    const { terminal, ended } = hand(gateway.url)
    await terminal.until('reply ▸ ')
    terminal.type('1\n*\n7\n8\n')
    await terminal.until('No session is open, and that is no code.')
    terminal.type('/quit\r')
    expect(await ended).toBe(0)
    expect(gateway.requests.map(it => it.text)).toEqual(['', '1', '1**'])
    expect(terminal.text).toContain('reply ▸ *\n')
  })

  it('fails at once where the first dial does', async () => {
    const { terminal, ended } = hand('http://127.0.0.1:9')
    expect(await ended).toBe(4)
    expect(terminal.errors).toContain('sibyl: No oracle answers at http://127.0.0.1:9')
  })
})

describe('sibyl ussd in a script', () => {
  it('types one answer a line, without frames and colours', async () => {
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

  it('fails where a line is left when the session has ended', async () => {
    const gateway = await serve()
    const { code, errors } = await script(gateway.url, [], '*\n1\n')
    expect(code).toBe(1)
    expect(errors).toContain('No session is open')
  })

  it('shows the last screen alone with --once', async () => {
    const gateway = await serve()
    expect(await script(gateway.url, ['--once', '1*2'])).toMatchObject({ code: 0, raw: 'You typed 1*2\n*. Exit\n' })
    expect(await script(gateway.url, ['--once', ''])).toMatchObject({ code: 0, raw: `${welcome}\n` })
    expect(await script(gateway.url, ['--once', '1**'])).toMatchObject({ code: 0, raw: 'Goodbye.\n' })
    const early = await script(gateway.url, ['--once', '**2'])
    expect(early).toMatchObject({ code: 1, raw: 'Goodbye.\n' })
    expect(early.errors).toContain('The session ended before 2 could be typed.')
    expect(await script(gateway.url, ['--once', '1*'])).toMatchObject({ code: 2, raw: '' })
  })

  it('sends the last answer alone with --last', async () => {
    const gateway = await serve()
    await script(gateway.url, ['--last', '--once', '1*2'])
    expect(gateway.requests.map(it => it.text)).toEqual(['', '1', '2'])
  })

  it('gives JSON alone on stdout', async () => {
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
    ['no CON or END', 4, 'This is no USSD gateway', 'hello'],
    ['a page', 4, 'answered 200 with text/html', it => it.setHeader('content-type', 'text/html').end('CON x')],
    ['a plugin that is off', 4, 'PIN_ENCRYPTION_KEY switches it on', it => it.writeHead(401).end('{}')],
    ['another service', 4, 'PIN_ENCRYPTION_KEY switches it on', it => it.writeHead(404).end()],
    ['a redirect', 4, 'answered 302', it => it.writeHead(302, { location: 'http://127.0.0.1:9' }).end()],
    ['a cut connection', 4, 'No oracle answers', it => it.destroy()],
    ['much', 4, 'This is no USSD gateway', `CONX${'x'.repeat(100_000)}`],
    [
      'too many requests',
      1,
      'no more requests from here now (HTTP 429).\n       Try again in 30 s.',
      it => it.writeHead(429, { 'content-type': 'text/plain', 'retry-after': '30' }).end('END Too many requests.'),
    ],
  ])('says what it is when %s comes', async (_, expected, words, answer) => {
    const gateway = await serve(() => answer)
    const { code, errors, raw } = await script(gateway.url, ['--once', ''])
    expect(errors).toContain(words)
    expect(code).toBe(expected)
    expect(raw).toBe(expected === 1 ? 'Too many requests.\n' : '')
  })

  it('is let in by the secret of a gateway, and says so where it is needed', async () => {
    const gateway = await serve(() => response => {
      const known = response.req.headers['x-gateway-secret'] === 'open sesame'
      response.writeHead(known ? 200 : 403, { 'content-type': 'text/plain' })
      response.end(known ? 'CON Hello' : 'END No.')
    })
    const refused = await script(gateway.url, ['--once', ''])
    expect(refused).toMatchObject({ code: 1, raw: 'No.\n' })
    expect(refused.errors).toContain('Set USSD_GATEWAY_SECRET here')
    const env = { USSD_GATEWAY_SECRET: 'open sesame' }
    expect(await script(gateway.url, ['--once', ''], '', env)).toMatchObject({ code: 0, raw: 'Hello\n' })
  })

  it('fails when a reply that came twice came differently', async () => {
    const gateway = await serve((_, index) => `CON Number ${index}`)
    const { code, errors } = await script(gateway.url, ['--twice', '--once', ''])
    expect(errors).toContain('the second reply was another')
    expect(code).toBe(1)
    expect(gateway.requests).toHaveLength(2)
  })

  it('says when a screen is longer than a message, and when all that was typed is longer than a request', async () => {
    const gateway = await serve(({ text }) => (text === '' ? 'CON ?' : `CON ${'x'.repeat(183)}`))
    const { errors } = await script(gateway.url, ['--once', 'y'.repeat(183)])
    expect(errors).toContain('All that was typed is now 183 characters long; a gateway takes 182.')
    expect(errors).toContain('That is longer than one message')
  })

  it('ends with 130 at SIGINT', async () => {
    const gateway = await serve(() => undefined)
    const terminal = new FakeTerminal({ SIBYL_URL: gateway.url }, false)
    const ended = run(['ussd'], terminal.io)
    await terminal.until('▸ *1234#')
    terminal.interrupt()
    expect(await ended).toBe(130)
  })
})

describe('recordings', () => {
  const record = async (url: string) => {
    const path = join(await folder(), 'session.json')
    const { code, errors } = await script(url, ['--record', path], '1\n/phone +260971234567\n*55#\n*\n')
    expect(code).toBe(0)
    expect(errors).toContain('The file holds all that is typed, PINs too.')
    return path
  }

  it('hold what was typed and shown, for their owner alone', async () => {
    const path = await record((await serve()).url)
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
      format: 'sibyl-ussd-1',
      sessions: [
        {
          serviceCode: '*1234#',
          phoneNumber: '+447700900001',
          textMode: 'cumulative',
          exchanges: [
            { typed: '', kind: 'continue', text: welcome },
            { typed: '1', kind: 'continue', text: 'You typed 1\n*. Exit' },
          ],
        },
        {
          serviceCode: '*55#',
          phoneNumber: '+260971234567',
          textMode: 'cumulative',
          exchanges: [
            { typed: '', kind: 'continue', text: welcome },
            { typed: '*', kind: 'end', text: 'Goodbye.' },
          ],
        },
      ],
    })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('play again, each session as a new one', async () => {
    const gateway = await serve()
    const path = await record(gateway.url)
    const recorded = gateway.requests.splice(0)
    const { code, errors, text } = await script(gateway.url, ['--replay', path])
    expect(code).toBe(0)
    expect(errors).toBe('4 screens, as recorded.\n')
    expect(text).toContain('▸ 1\nYou typed 1\n')
    const withoutId = (requests: typeof recorded) => requests.map(({ sessionId: _, ...rest }) => rest)
    expect(withoutId(gateway.requests)).toEqual(withoutId(recorded))
    expect(gateway.requests.map(it => it.sessionId)).not.toContain(recorded[0]?.sessionId)
  })

  it('fail at the first screen that is another, and show both', async () => {
    const path = await record((await serve()).url)
    const changed = await serve(({ text }) => (text === '' ? `CON ${welcome}` : 'END Closed today.'))
    const { code, errors, text } = await script(changed.url, ['--replay', path])
    expect(code).toBe(1)
    expect(errors).toContain('That is not as recorded. Recorded was, and the session went on:')
    expect(text).toMatch(/Closed today\.\n.* ended\nYou typed 1\n/)
    expect(changed.requests).toHaveLength(2)
  })

  it('begin in the middle of a session with all of it', async () => {
    const path = join(await folder(), 'session.json')
    await script((await serve()).url, [], `1\n/record ${path}\n2\n/record\n3\n`)
    const { sessions } = JSON.parse(await readFile(path, 'utf8'))
    expect(sessions[0].exchanges.map((it: { typed: string }) => it.typed)).toEqual(['', '1', '2'])
  })

  it('take the place of a recording, and of nothing else', async () => {
    const { url } = await serve()
    const path = await record(url)
    expect(await script(url, ['--record', path, '--once', ''])).toMatchObject({ code: 0 })
    await writeFile(path, 'my notes')
    const refused = await script(url, ['--record', path, '--once', ''])
    expect(refused).toMatchObject({ code: 2, raw: '', errors: expect.stringContaining('no recording of sibyl ussd') })
    expect(await readFile(path, 'utf8')).toBe('my notes')
    expect(await script(url, ['--replay', path])).toMatchObject({ code: 2, raw: '' })
    expect(await script(url, ['--replay', `${path}.gone`])).toMatchObject({ code: 2 })
    expect(await script(url, ['--record', '/nowhere/at/all', '--once', ''])).toMatchObject({ code: 2, raw: '' })
  })
})

it.each([
  [['1234'], "Expected a code in quotes, such as '*1234#'."],
  [['*1234'], 'Expected a code in quotes'],
  [['--phone', '0971234567'], 'Expected one such as +447700900002.'],
  [['--slow', 'x'], 'Expected seconds from 0 to 99.'],
  [['--record', 'a', '--replay', 'b'], 'cannot be used with'],
  [['--url', 'nonsense'], '--url is not the address of an oracle.'],
])('sibyl ussd %j is a usage error that says what is meant', async (args, words) => {
  const { code, errors, raw } = await script('http://127.0.0.1:9', args)
  expect(code).toBe(2)
  expect(errors).toContain(words)
  expect(raw).toBe('')
})
