import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Failures, type Script, type ScriptedOracle, startScriptedOracle } from '@sibyl/client/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { run } from '../../main.ts'
import { book, confirm, echo, endless, pay, speak, weather } from './script.test.helper.ts'
import { FakeTerminal } from './terminal.test.helper.ts'

let home: string
const oracles: ScriptedOracle[] = []
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sibyl-chat-'))
})
afterEach(async () => {
  for (const oracle of oracles.splice(0)) await oracle.close()
  await rm(home, { recursive: true, force: true })
})

const serve = async (script: Script, failures: Failures = {}) => {
  const oracle = await startScriptedOracle(script, failures)
  oracles.push(oracle)
  return oracle
}

const terminalFor = (oracle: { url: string }, isTTY = true, columns = 80) =>
  new FakeTerminal({ SIBYL_HOME: home, SIBYL_URL: oracle.url }, isTTY, columns)

/** Removes durations, which differ between runs. */
const withoutTimes = (text: string) => text.replace(/ +(?:\d+ ms|\d+\.\d s)/g, ' # ms')

const once = async (script: Script, args: readonly string[] = [], failures: Failures = {}, stdin?: string) => {
  const oracle = await serve(script, failures)
  const terminal = terminalFor(oracle, false)
  if (stdin !== undefined) terminal.stdin.end(stdin)
  const code = await run(['chat', ...args], terminal.io)
  return { code, oracle, terminal, text: withoutTimes(terminal.text), errors: terminal.errors }
}

describe('sibyl chat --once', () => {
  it('shows tool calls and text of the oracle', async () => {
    const { code, text, errors } = await once(weather, ['--once', "what's the weather in Berlin?"])
    expect(text).toBe(
      [
        '        · list_capabilities # ms',
        '        · load_capability   weather # ms   +2 tools, 312 tokens',
        '        · get_current_weather   city: Berlin # ms',
        'oracle  It is 14 °C in Berlin with slight rain.',
        '        offline model · 3 steps · 0.21 s',
        '',
      ].join('\n'),
    )
    expect(errors).toMatch(/^Created your key in .*key\.json: you are did:key:z6Mk\w+\n$/)
    expect(code).toBe(0)
  })

  it('keeps the reason of a failed call within a narrow terminal', async () => {
    const errorText = "The place 'Oslo' is unknown. Check the name, or use the city's name alone."
    const oracle = await serve(() => [
      { type: 'start', messageId: 'm' },
      { type: 'tool-input-available', toolCallId: '1', toolName: 'find', input: { city: 'Oslo' } },
      { type: 'tool-output-error', toolCallId: '1', errorText },
      ...speak('No.').slice(1),
    ])
    const terminal = terminalFor(oracle, true, 40)
    await run(['chat', '--once', 'x'], terminal.io)
    const lines = terminal.text.split('\n')
    const first = lines.findIndex(line => line.includes('The place'))
    const reason = lines.slice(
      first,
      lines.findIndex(line => line.startsWith('oracle')),
    )
    expect(reason.every(line => line.length <= 40 && line.startsWith('          '))).toBe(true)
    expect(reason.map(line => line.trim()).join(' ')).toBe(errorText)
  })

  it('aligns durations in one column', async () => {
    const { terminal } = await once(weather, ['--once', 'x'])
    const lines = terminal.text.split('\n').filter(line => line.includes('·') && line.includes(' ms'))
    expect(lines.map(line => line.indexOf(' ms') + 3)).toEqual([64, 64, 64])
  })

  it('prints every event as a line of JSON, and everything else on stderr', async () => {
    const { code, terminal, errors } = await once(weather, ['--once', 'x', '--json'], { cutStream: () => 4 })
    const events = terminal.raw
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(events.map(it => it.type)).toEqual([...(weather({} as never) as { type: string }[])].map(it => it.type))
    expect(errors).toContain('connection lost, resuming')
    expect(code).toBe(0)
  })

  it('reads the whole message from stdin', async () => {
    const { text } = await once(echo, ['--once', '-'], {}, 'one\ntwo\n')
    expect(text).toContain('oracle  You said one\n        two.')
  })

  it('reports a broken connection and resumes at the next character', async () => {
    const { text, code } = await once(() => speak('It is fo', 'urteen degrees'), ['--once', 'x'], {
      cutStream: connection => (connection === 0 ? 3 : undefined),
    })
    expect(text).toContain('oracle  It is fo\n        … connection lost, resuming\n        urteen degrees\n')
    expect(code).toBe(0)
  })

  it('prints no terminal sequences', async () => {
    const evil = '\u001b[2J\u009b31m\u0007\u202e'
    const { terminal } = await once(
      () => [
        { type: 'tool-input-available', toolCallId: '1', toolName: `a${evil}`, input: { [`b${evil}`]: `c${evil}` } },
        { type: 'tool-output-error', toolCallId: '1', errorText: `d${evil}` },
        { type: 'data-notice', data: { code: 'x', text: `e${evil}` } },
        { type: 'text-delta', id: 'x', delta: `f${evil}` },
        { type: 'error', errorText: `g${evil}`, code: `h${evil}` },
      ],
      ['--once', 'x'],
    )
    expect(terminal.raw.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
    expect(terminal.raw).toContain('error   g[2J31m (h[2J31m)')
  })

  it('fails when the turn fails', async () => {
    const { code, text } = await once(
      () => [{ type: 'error', errorText: 'The model did not answer.', code: 'model_failed' }],
      ['--once', 'x'],
    )
    expect(text).toBe('error   The model did not answer. (model_failed)\n')
    expect(code).toBe(1)
  })

  it('shows failed and rejected tools', async () => {
    const { text } = await once(
      () => [
        { type: 'tool-input-available', toolCallId: '1', toolName: 'find', input: { city: 'X' } },
        { type: 'tool-output-error', toolCallId: '1', errorText: 'There is no such place.' },
        { type: 'tool-input-error', toolCallId: '2', toolName: 'fly', input: {}, errorText: 'No such tool.' },
        { type: 'finish' },
      ],
      ['--once', 'x'],
    )
    expect(text.replace(/ +failed/g, ' failed')).toBe(
      '        · find   city: X failed\n          There is no such place.\n        · fly failed\n          No such tool.\n',
    )
  })

  it('shows the oracle’s rejection as a sentence', async () => {
    const body = {
      type: 'x',
      title: 'No model',
      status: 503,
      code: 'model_not_configured',
      detail: 'Set OPENAI_API_KEY.',
    }
    const { code, errors } = await once(echo, ['--once', 'x'], {
      answer: it => (it.path === '/chat' ? { status: 503, body } : undefined),
    })
    expect(errors).toContain('sibyl: No model: Set OPENAI_API_KEY. (model_not_configured)\n')
    expect(code).toBe(1)
  })

  it('stops the turn at Ctrl-C and exits with 130', async () => {
    const oracle = await serve(endless)
    const terminal = terminalFor(oracle, false)
    const running = run(['chat', '--once', 'x'], terminal.io)
    await terminal.until('One two')
    terminal.interrupt()
    expect(await running).toBe(130)
    expect(oracle.requests.at(-1)?.path).toMatch(/\/stop$/)
    expect(terminal.text).not.toContain('unwanted')
    expect(terminal.text).toContain('Stopped.')
  })

  it('exits at the second Ctrl-C, also if the oracle does not stop', async () => {
    const oracle = await serve(endless, {
      answer: it => (it.path.endsWith('/stop') ? { status: 200, body: {} } : undefined),
    })
    const terminal = terminalFor(oracle, false)
    const running = run(['chat', '--once', 'x'], terminal.io)
    await terminal.until('One two')
    terminal.interrupt()
    terminal.interrupt()
    expect(await running).toBe(130)
  })
})

describe('an oracle that differs from the first one at its address', () => {
  it('gets no message and no token unless it is trusted again', async () => {
    const oracle = await serve(echo)
    await writeFile(join(home, 'known-oracles.json'), JSON.stringify({ [oracle.url]: 'did:key:zFirst' }))
    const terminal = terminalFor(oracle, false)
    expect(await run(['chat', '--once', 'x'], terminal.io)).toBe(3)
    expect(terminal.errors).toContain(`it was did:key:zFirst and is now ${oracle.did}`)
    expect(terminal.errors).toContain('accept it with --trust')
    expect(oracle.requests.map(it => it.path)).toEqual(['/.well-known/oracle.json'])
    expect(await run(['chat', '--once', 'x', '--trust'], terminalFor(oracle, false).io)).toBe(0)
  })
})

describe('approvals without a terminal', () => {
  it.each([
    [[], 'deny', 'denied: approval requires a terminal'],
    [['--approve', 'once'], 'once', 'answered by --approve: once'],
    [['--approve', 'session'], 'session', 'answered by --approve: session'],
  ])('with %j are answered %s', async (args, decision, note) => {
    const { text, code } = await once(pay, ['--once', 'x', ...args])
    expect(text).toContain(
      '        Send 5 € to Ada\n          tool: send_money\n          to: "Ada"\n          memo:\n            | a\n            | b\n',
    )
    expect(text).toContain(note)
    expect(text).toContain(`oracle  You said ${decision}.`)
    expect(code).toBe(0)
  })
})

describe('questions of tools, without a terminal', () => {
  it.each([[[]], [['--approve', 'once']]])('with %j are rejected if only a user can answer', async args => {
    const { text, code } = await once(book, ['--once', 'x', ...args])
    expect(text).toContain('        When do you go?\n          tool: book_ferry\n')
    expect(text).toContain('refused: this question can be answered only on a terminal')
    expect(text).toContain('oracle  You said deny.')
    expect(code).toBe(0)
  })

  it('are answered by --approve if yes is enough', async () => {
    const { text } = await once(confirm, ['--once', 'x', '--approve', 'once'])
    expect(text).toContain('answered by --approve: once')
    expect(text).toContain('oracle  You said once.')
  })
})

describe('sibyl chat with piped messages', () => {
  it('sends one line after the other in one session', async () => {
    const { text, code, oracle } = await once(echo, ['--session', 's-1'], {}, 'one\r\n\n two \n')
    expect(text.replaceAll('        offline model · 3 steps · 0.21 s\n', '')).toBe(
      'you     one\noracle  You said one.\nyou      two\noracle  You said  two .\n',
    )
    expect(oracle.requests.filter(it => it.path === '/chat').map(it => (it.body as { id: string }).id)).toEqual([
      's-1',
      's-1',
    ])
    expect(code).toBe(0)
  })

  it('ends at the first message that fails', async () => {
    const { code, oracle } = await once(() => [{ type: 'error', errorText: 'x', code: 'y' }], [], {}, 'one\ntwo\n')
    expect(oracle.turnsStarted()).toBe(1)
    expect(code).toBe(1)
  })

  it('requires a message', async () => {
    const { code, errors } = await once(echo, [], {}, '\n')
    expect(errors).toContain('There is no message.')
    expect(code).toBe(2)
  })

  it("rejects a message above the oracle's limit", async () => {
    const { code, errors } = await once(echo, ['--once', '-'], {}, 'x'.repeat(128_001))
    expect(errors).toContain('The message has 128001 characters')
    expect(code).toBe(2)
  })
})

describe('sibyl chat on a terminal', () => {
  const open = async (script: Script, args: readonly string[] = [], columns = 80) => {
    const oracle = await serve(script)
    const terminal = terminalFor(oracle, true, columns)
    const running = run(['chat', ...args], terminal.io)
    await terminal.until('you     ')
    return { oracle, terminal, running }
  }

  it('greets, chats and exits with Ctrl-D', async () => {
    const { oracle, terminal, running } = await open(echo, [], 160)
    expect(terminal.text).toMatch(
      /^Scripted Oracle at http:\/\/127\.0\.0\.1:\d+ {3}you are did:key:z6Mk\w…\w{3} {3}Ctrl-C stops a turn, exit quits\n\nyou {5}$/,
    )
    terminal.type('hello\r')
    await terminal.until('oracle  You said hello.')
    await terminal.until('you     ')
    terminal.type('again\r')
    await terminal.until('oracle  You said again.')
    await terminal.until('you     ')
    terminal.type('\u0004')
    expect(await running).toBe(0)
    expect(terminal.text).toMatch(/continue this session: sibyl chat --session [\w-]{36}\n$/)
    const posts = oracle.requests.filter(it => it.path === '/chat')
    expect(new Set(posts.map(it => (it.body as { id: string }).id)).size).toBe(1)
  })

  it('ends when the terminal is gone', async () => {
    const { terminal, running } = await open(echo)
    terminal.stdin.setRawMode = () => {
      terminal.stdin.emit('error', new Error('setRawMode EIO'))
    }
    terminal.stdin.end()
    expect(await running).toBe(0)
  })

  it('wraps at the width of the terminal', async () => {
    const { terminal, running } = await open(() => speak('one two three four five six seven eight'), [], 40)
    terminal.type('x\r')
    await terminal.until('oracle  one two three four five six\n        seven eight\n')
    await terminal.until('you     ')
    terminal.type('\u0004')
    await running
  })

  it('reads lines that are pasted together as one message, and keeps input typed meanwhile', async () => {
    const rest = Promise.withResolvers<void>()
    let turns = 0
    const { terminal, running } = await open(async function* ({ text }) {
      turns += 1
      yield { type: 'start', messageId: 'm' }
      if (turns === 1) yield { type: 'text-delta', id: 'x', delta: 'Wait. ' }
      if (turns === 1) await rest.promise
      yield* speak(`You said ${text.replace('\n', '+')}.`).slice(1)
    })
    terminal.type('one\rtwo\r')
    await terminal.until('Wait.')
    terminal.type('later\rhalf')
    await new Promise(setImmediate)
    rest.resolve()
    await terminal.until('You said one+two.')
    await terminal.until('you     later')
    await terminal.until('You said later.')
    await terminal.until('you     half')
    terminal.type(' and half\r')
    await terminal.until('You said half and half.')
    await terminal.until('you     ')
    terminal.type('\u0004')
    expect(await running).toBe(0)
  })

  it.each(['exit', ' QUIT ', '/exit'])('exits with %j on a line, which is not sent', async word => {
    const oracle = await serve(echo)
    const terminal = terminalFor(oracle)
    const talking = run(['chat'], terminal.io)
    await terminal.until('you     ')
    terminal.type('how do I quit?\r')
    await terminal.until('offline model')
    terminal.type(`${word}\r`)
    expect(await talking).toBe(0)
    expect(terminal.text.match(/oracle {2}/g)).toHaveLength(1)
  })

  it('stops a turn at Ctrl-C and prompts again; Ctrl-C twice at the prompt exits with 130', async () => {
    const { terminal, running } = await open(endless)
    terminal.type('x\r')
    await terminal.until('One two')
    terminal.type('\u0003')
    await terminal.until('Stopped.')
    await terminal.until('you     ')
    terminal.type('unsent\u0003')
    await terminal.until('(press Ctrl-C again to exit)')
    await terminal.until('you     ')
    terminal.type('\u0003')
    expect(await running).toBe(130)
  })

  it('exits during a turn at the second Ctrl-C', async () => {
    const { terminal, oracle, running } = await open(endless)
    oracle.faults.answer = it => (it.path.endsWith('/stop') ? { status: 200, body: {} } : undefined)
    terminal.type('x\r')
    await terminal.until('One two')
    terminal.type('\u0003\u0003')
    expect(await running).toBe(130)
  })

  it.each([
    ['a stray Enter allows nothing', '\r', 'deny'],
    ['allow once', '\u001b[A\u001b[A\r', 'once'],
    ['in this session', '\u001b[A\r', 'session'],
  ])('asks before a tool runs: %s', async (_, keys, decision) => {
    const { terminal, running } = await open(pay)
    terminal.type('pay\r')
    await terminal.until('Send 5 € to Ada')
    await terminal.until('Allow it?')
    await terminal.until('● no')
    terminal.type(keys)
    await terminal.until(`You said ${decision}.`)
    await terminal.until('you     ')
    terminal.type('\u0004')
    expect(await running).toBe(0)
  })

  it('asks the question of a tool, member by member, and again if the tool does', async () => {
    const { terminal, oracle, running } = await open(book)
    terminal.type('book\r')
    await terminal.until('        When do you go?')
    await terminal.until('          tool: book_ferry')
    await terminal.until('Answer it?')
    terminal.type('\r')
    await terminal.until('Day: When you[31m go')
    terminal.type('soon\r')
    await terminal.until('Type a day, such as 2026-12-01.')
    terminal.type(`${'\u007f'.repeat(4)}2026-12-01\r`)
    await terminal.until('seats')
    terminal.type('\r')
    await terminal.until('Inside')
    terminal.type('\u001b[B\r')
    await terminal.until('meals (optional)')
    terminal.type('\r')
    const data = { day: '2026-12-01', seats: 2, cabin: 'out' }
    await terminal.until('Really')
    await terminal.until('tool: book_ferry')
    await terminal.until('Your answer?')
    await terminal.until('● no')
    terminal.type('\r')
    await terminal.until('You said deny.')
    const bodies = oracle.requests.flatMap(({ path, body }) => (path.includes('/approvals/') ? [body] : []))
    expect(bodies).toEqual([{ decision: 'once', data }, { decision: 'deny' }])
    expect(terminal.raw).not.toContain('\u0007')
    await terminal.until('you     ')
    terminal.type('\u0004')
    expect(await running).toBe(0)
  })

  it('leaves a question open if the user does not answer', async () => {
    const { terminal, running } = await open(pay)
    terminal.type('pay\r')
    await terminal.until('● no')
    terminal.type('\u0003')
    await terminal.until('The question stays open until your next message.')
    await terminal.until('you     ')
    terminal.type('\u0004')
    expect(await running).toBe(0)
  })

  it('continues after a failed exchange', async () => {
    const { terminal, oracle, running } = await open(echo)
    const body = { type: 'x', title: 'A turn runs', status: 409, code: 'turn_running' }
    oracle.faults.answer = it => (it.path === '/chat' ? { status: 409, body } : undefined)
    terminal.type('hello\r')
    await terminal.until('A turn runs. (turn_running)')
    await terminal.until('you     ')
    delete oracle.faults.answer
    terminal.type('hello\r')
    await terminal.until('You said hello.')
    terminal.type('\u0004')
    expect(await running).toBe(0)
  })
})
