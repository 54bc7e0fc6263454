import type { BootProblem } from '@sibyl/plugin/host'
import { recordedLogger } from '@sibyl/plugin/testing'
import { wantsColour } from '@sibyl/telemetry'
import { describe, expect, test } from 'vitest'
import type { BootFact } from './boot-facts.ts'
import { createBootLog } from './boot-log.ts'

const header: BootFact = {
  kind: 'header',
  version: '0.1.0',
  name: 'Field Oracle',
  environment: 'development',
  network: 'devnet',
}
const loaded = (plugin: string, tools: number, routes: number, publicRoutes = 0): BootFact => ({
  kind: 'loaded',
  plugin,
  mode: 'always',
  tools,
  routes,
  publicRoutes,
})
const weather: BootFact = {
  kind: 'available',
  plugin: 'weather',
  mode: 'on-demand',
  tools: 2,
  routes: 1,
  publicRoutes: 1,
}
const excluded: BootFact = { kind: 'excluded', plugin: 'firecrawl', variable: 'FIRECRAWL_MCP_URL' }
const matrix: BootFact = { kind: 'settled', plugin: 'matrix', durationMs: 1204, state: 'loaded' }
const problem: BootProblem = {
  code: 'env_invalid',
  headline: "Plugin 'memory' env validation failed for 'MEMORY_MCP_URL'",
  lines: [
    'not a URL (got 11 characters, no scheme). Use https://… or embedded:',
    'Fix it in .env, or disable the plugin: features: { memory: false } in createOracleApp',
  ],
  plugin: 'memory',
  variable: 'MEMORY_MCP_URL',
}
const everything: BootFact[] = [
  header,
  loaded('entities', 4, 14),
  loaded('ussd', 1, 5, 2),
  weather,
  { kind: 'available', plugin: 'mcp', mode: 'on-demand', routes: 0, publicRoutes: 0 },
  excluded,
  { kind: 'pending', plugin: 'matrix', detail: 'https://matrix.example.org' },
  { kind: 'database', text: 'SQLite .data/sibyl.db' },
  { kind: 'model', text: 'offline: answers from the plugins’ own examples; set OPENAI_API_KEY for a real model' },
  { kind: 'identity', did: `did:key:z6Mkf${'x'.repeat(40)}9aV`, entityDid: 'did:ixo:entity:4f001122334455667788e1' },
  { kind: 'identity' },
  { kind: 'warning', text: 'look here', warn: true },
  { kind: 'listening', url: 'http://localhost:3000', notes: ['docs /docs', 'talk to it: sibyl chat'] },
  matrix as BootFact,
  { kind: 'settled', plugin: 'sms', durationMs: 60_000, state: 'failed', reason: 'did not start within 60 s' },
  {
    kind: 'ready',
    durationMs: 210,
    waited: [{ kind: 'settled', plugin: 'matrix', durationMs: 1204, state: 'loaded' }],
  },
  { kind: 'problem', problem },
  { kind: 'verdict', problems: 2 },
]

/** Returns the output on a terminal or file of this kind. */
const shown = (
  facts: readonly BootFact[],
  output: { isTTY?: boolean; columns?: number } = {},
  colour = false,
  folded = false,
) => {
  let text = ''
  createBootLog({ output: { ...output, write: (part: string) => (text += part) }, colour, folded }).report(...facts)
  return text.split('\n').slice(0, -1)
}

const one = (fact: BootFact) => shown([fact])[0]

describe('the lines for other readers', () => {
  test.each([{}, { isTTY: true, columns: 40 }, { isTTY: true, columns: 200 }])('are exact at any width: %o', output => {
    const lines = shown([excluded, { kind: 'problem', problem }], output)
    expect(lines).toContain('[boot] excluded: firecrawl (FIRECRAWL_MCP_URL)')
    expect(lines).toContain("[boot-error] Plugin 'memory' env validation failed for 'MEMORY_MCP_URL'")
  })
})

describe('on a wide terminal', () => {
  test('aligns columns', () => {
    expect(
      shown([header, loaded('entities', 4, 14), loaded('ussd', 1, 5, 2), weather], { isTTY: true, columns: 120 }),
    ).toEqual([
      'Sibyl 0.1.0   Field Oracle   development   devnet',
      '',
      '[boot] loaded      entities      always      4 tools   14 routes',
      '[boot] loaded      ussd          always      1 tool     5 routes (2 public)',
      '[boot] available   weather       on-demand   2 tools    1 route  (1 public)',
    ])
  })

  test('folds plugins of a kind into one line, and wraps it', () => {
    const facts: BootFact[] = [
      header,
      loaded('entities', 4, 14),
      weather,
      { kind: 'loaded', plugin: 'memory', mode: 'always', routes: 0, publicRoutes: 0, detail: '1 of 2 ready' },
      excluded,
      { ...excluded, plugin: 'sms', variable: 'SMS_PROVIDER' },
      { ...excluded, plugin: 'matrix', variable: 'MATRIX_BASE_URL' },
      { kind: 'adapter', plugin: 'openai', endpoint: '/v1', routes: 3 },
      { kind: 'adapter', plugin: 'mcp-server', endpoint: '/mcp', routes: 3 },
      { kind: 'database', text: 'SQLite .data/sibyl.db' },
    ]
    expect(shown(facts, { isTTY: true, columns: 75 }, false, true).slice(2)).toEqual([
      '[boot] loaded      entities, memory (1 of 2 ready)',
      '[boot] available   weather',
      '[boot] excluded:   firecrawl (FIRECRAWL_MCP_URL), sms (SMS_PROVIDER),',
      '                   matrix (MATRIX_BASE_URL)',
      '[boot] adapters    /v1, /mcp',
      '[boot] database    SQLite .data/sibyl.db',
    ])
  })

  test('a long name moves the column for all lines, also later ones', () => {
    let text = ''
    const log = createBootLog({ output: { write: (part: string) => (text += part) }, colour: false })
    log.report(loaded('user-preferences', 12, 0), loaded('ussd', 1, 5))
    log.report(matrix)
    const [first, second, third] = text.split('\n')
    expect(first?.indexOf('always')).toBe(second?.indexOf('always'))
    expect(third?.indexOf('1.2 s')).toBe(first?.indexOf('always'))
    expect(first?.indexOf('tools')).toBe(second?.indexOf('tool '))
  })

  test('each kind of fact has its line', () => {
    expect(one({ kind: 'available', plugin: 'mcp', mode: 'on-demand', routes: 0, publicRoutes: 0 })).toBe(
      '[boot] available   mcp           on-demand   tools depend on the turn',
    )
    expect(one({ kind: 'pending', plugin: 'matrix', detail: 'https://m.example' })).toBe(
      '[boot] pending     matrix        https://m.example',
    )
    expect(one(matrix)).toBe('[boot] loaded      matrix        1.2 s')
    expect(
      one({ kind: 'settled', plugin: 'sms', durationMs: 1, state: 'failed', reason: 'the provider refused the key' }),
    ).toBe('[boot] failed      sms           the provider refused the key')
    expect(
      one({ kind: 'settled', plugin: 'memory', durationMs: 12, state: 'degraded', detail: 'nothing listens there' }),
    ).toBe('[boot] degraded    memory        0.01 s   nothing listens there')
    expect(one({ kind: 'settled', plugin: 'mcp', durationMs: 800, state: 'available', detail: '3 of 5 ready' })).toBe(
      '[boot] available   mcp           0.80 s   3 of 5 ready',
    )
    expect(one({ kind: 'model', text: 'gpt-x at api.openai.com' })).toBe('[boot] model       gpt-x at api.openai.com')
    expect(one({ kind: 'identity', did: `did:key:z6Mkf${'x'.repeat(40)}9aV`, entityDid: 'did:ixo:entity:1' })).toBe(
      '[boot] identity    did:key:z6Mkf…9aV   entity did:ixo:entity:1',
    )
    expect(one({ kind: 'identity' })).toBe(
      '[boot] identity    no signing key, so every authenticated route answers 401; set ORACLE_MNEMONIC',
    )
    expect(one({ kind: 'listening', url: 'http://localhost:3000', notes: ['docs /docs'] })).toBe(
      '[boot] listening   http://localhost:3000    docs /docs',
    )
  })

  test('the ready line lists what it waited for', () => {
    expect(one({ kind: 'ready', durationMs: 210 })).toBe('[boot] ready       in 0.21 s')
    const waited = [
      { kind: 'settled', plugin: 'matrix', durationMs: 1204, state: 'loaded' },
      { kind: 'settled', plugin: 'sms', durationMs: 60_000, state: 'failed', reason: 'late' },
    ] as const
    expect(one({ kind: 'ready', durationMs: 1210, waited })).toBe(
      '[boot] ready       in 1.2 s (matrix after 1.2 s, sms failed after 60 s)',
    )
  })

  test('problems follow their headline, the verdict is last', () => {
    expect(
      shown([
        { kind: 'problem', problem },
        { kind: 'verdict', problems: 1 },
      ]),
    ).toEqual([
      "[boot-error] Plugin 'memory' env validation failed for 'MEMORY_MCP_URL'",
      '             not a URL (got 11 characters, no scheme). Use https://… or embedded:',
      '             Fix it in .env, or disable the plugin: features: { memory: false } in createOracleApp',
      '1 problem; the oracle did not start.',
    ])
  })

  test('long text continues below itself', () => {
    const lines = shown([{ kind: 'model', text: 'word '.repeat(30).trim() }], { isTTY: true, columns: 80 })
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.every(line => line.length <= 80)).toBe(true)
    expect(lines.slice(1).every(line => line.startsWith(`${' '.repeat(19)}word`))).toBe(true)
  })
})

describe('on a narrow terminal', () => {
  test.each([40, 48, 60, 71])('at %i columns nothing is lost and only unbreakable words are wider', columns => {
    const words = (lines: readonly string[]) => lines.join(' ').split(/\s+/).join(' ')
    const narrow = shown(everything, { isTTY: true, columns })
    expect(words(narrow)).toBe(words(shown(everything)))
    const exact = /^\[boot\] excluded:|^\[boot-error\]/
    for (const line of narrow.filter(text => !exact.test(text))) expect(line.length, line).toBeLessThanOrEqual(columns)
  })

  test('ignores a terminal width of zero', () => {
    expect(shown(everything, { isTTY: true, columns: 0 })).toEqual(shown(everything))
    expect(shown(everything, { isTTY: true, columns: 1 }).length).toBeGreaterThan(everything.length)
  })
})

describe('color', () => {
  test('changes nothing but the color', () => {
    const coloured = shown(everything, { isTTY: true, columns: 60 }, true).join('\n')
    expect(coloured).toContain('\u001b[32mloaded')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what colours are made of
    expect(coloured.replace(/\u001b\[\d+m/g, '').replace(/ +$/gm, '')).toBe(
      shown(everything, { isTTY: true, columns: 60 }).join('\n'),
    )
  })

  test('is used only on a terminal that supports it, without NO_COLOR', () => {
    expect(wantsColour({ isTTY: true }, {})).toBe(true)
    expect(wantsColour({ isTTY: true }, { NO_COLOR: '' })).toBe(true)
    expect(wantsColour({ isTTY: true }, { NO_COLOR: '1' })).toBe(false)
    expect(wantsColour({ isTTY: true }, { TERM: 'dumb' })).toBe(false)
    expect(wantsColour({}, {})).toBe(false)
  })

  test('names from outside cannot inject terminal sequences', () => {
    const evil = '\u001b[2Jx\ny'
    const lines = shown([
      { ...header, name: evil, environment: evil },
      { kind: 'model', text: evil },
      { kind: 'problem', problem: { ...problem, headline: evil, lines: [evil] } },
    ])
    expect(lines.join('\n')).not.toContain('\u001b')
    expect(lines).toHaveLength(5)
  })
})

test.each([
  ['problems', /^\[boot-error\]/],
  ['warnings', /^\[boot\] identity .*ORACLE_MNEMONIC\n\[boot-error\]/],
] as const)('a boot log with %s omits the rest', (reports, expected) => {
  let text = ''
  const output = { write: (part: string) => (text += part) }
  const log = createBootLog({ output, colour: false, tells: reports })
  log.report(header, weather, { kind: 'identity' }, { kind: 'problem', problem })
  expect(text).toMatch(expected)
})

describe('through a logger', () => {
  const logged = (...facts: BootFact[]) => {
    const logger = recordedLogger()
    createBootLog({ logger }).report(...facts)
    return logger.lines
  }

  test('each fact is one line with the same text and its facts as fields', () => {
    expect(logged(header, weather, excluded)).toEqual([
      {
        level: 'info',
        message: 'Sibyl 0.1.0 Field Oracle development devnet',
        fields: {
          boot: 'header',
          version: '0.1.0',
          name: 'Field Oracle',
          environment: 'development',
          network: 'devnet',
        },
      },
      {
        level: 'info',
        message: '[boot] available weather on-demand 2 tools 1 route (1 public)',
        fields: { boot: 'available', plugin: 'weather', mode: 'on-demand', tools: 2, routes: 1, publicRoutes: 1 },
      },
      {
        level: 'info',
        message: '[boot] excluded: firecrawl (FIRECRAWL_MCP_URL)',
        fields: { boot: 'excluded', plugin: 'firecrawl', variable: 'FIRECRAWL_MCP_URL' },
      },
    ])
  })

  test('problems are errors with their lines, notices are warnings', () => {
    const lines = logged(
      { kind: 'problem', problem },
      { kind: 'verdict', problems: 2 },
      { kind: 'identity' },
      { kind: 'warning', text: 'x', warn: true },
      { kind: 'settled', plugin: 'sms', durationMs: 5, state: 'failed', reason: 'late' },
    )
    expect(lines.map(({ level, message }) => [level, message])).toEqual([
      ['error', "[boot-error] Plugin 'memory' env validation failed for 'MEMORY_MCP_URL'"],
      ['error', '2 problems; the oracle did not start.'],
      ['warn', '[boot] identity no signing key, so every authenticated route answers 401; set ORACLE_MNEMONIC'],
      ['warn', '[boot] warning x'],
      ['warn', '[boot] failed sms late'],
    ])
    const { headline: _, ...facts } = problem
    expect(lines[0]?.fields).toEqual({ boot: 'problem', ...facts })
  })
})
