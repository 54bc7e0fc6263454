import type { OracleInspection } from '@sibyl/core/records'
import { expect, test } from 'vitest'
import { displayWidth } from '../../output/display-width.ts'
import { stylesFor } from '../../output/styles.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { inspectionLines } from './inspection-lines.ts'

const { io } = new FakeTerminal({})
const styles = stylesFor(io.stdout, io.env)

const plugin = (name: string, more: Partial<OracleInspection['plugins'][number]> = {}) => ({
  name,
  version: '0.1.0',
  title: name,
  summary: '',
  bundled: true,
  load: 'always' as const,
  state: 'loaded' as const,
  tools: ['look'],
  toolsVary: false,
  routes: [{ method: 'GET', path: '/x', public: true }],
  ...more,
})

const tool = (name: string, owner: string, tokens: number) => ({
  name,
  owner,
  tokens,
  description: '',
  inputSchema: {},
})

const inspection: OracleInspection = {
  core: '0.1.0',
  node: '24.0.0',
  oracle: {
    name: 'Field Oracle',
    publicDid: 'did:web:x',
    network: 'devnet',
    environment: 'development',
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    database: 'sqlite',
    model: 'openai gpt-5-mini',
    modelReady: true,
  },
  problems: [],
  plugins: [
    plugin('pump'),
    plugin('mcp', { tools: [], routes: [], toolsVary: true, state: 'available' }),
    plugin('memory', { state: 'excluded', reason: 'MEMORY_MCP_URL is not set', variable: 'MEMORY_MCP_URL' }),
  ],
  variables: [],
  migrations: [],
  unknownVariables: [],
  turn: {
    prompt: 'You are Field Oracle.\n\nBe brief.',
    promptTokens: 1_200,
    note: 'It is night.',
    noteTokens: 3,
    tools: [tool('list_capabilities', 'core', 66), tool('look', 'pump', 1_034)],
    toolTokens: 1_100,
    loadable: [{ plugin: 'mcp', tools: 0, tokens: 12 }],
  },
}

test('shows the start of a turn in columns, with its cost on the right', () => {
  expect(inspectionLines(inspection, { styles, columns: 60 })).toEqual([
    'Field Oracle',
    'development, devnet, Sibyl 0.1.0',
    'openai gpt-5-mini',
    '',
    'Plugins',
    '  loaded     pump    1 tool, 1 route',
    '  available  mcp     tools depend on the turn',
    '  excluded   memory  MEMORY_MCP_URL is not set',
    '',
    'System prompt                                   1,200 tokens',
    '  You are Field Oracle.',
    '',
    '  Be brief.',
    '',
    'Beside the message                                  3 tokens',
    '  It is night.',
    '',
    'Tools                                           1,100 tokens',
    '  list_capabilities  core                                 66',
    '  look               pump                               1034',
    '',
    'Loaded on demand                                tokens added',
    '  mcp                                                    +12',
    '',
    'A turn starts with about 2,303 tokens, before the',
    'conversation.',
  ])
})

test('shows what prevents the start in place of the turn', () => {
  const { turn: _, ...rest } = inspection
  const problems = [{ code: 'env_invalid', headline: 'PORT is wrong', lines: ['not a number.', 'Fix it in .env.'] }]
  expect(inspectionLines({ ...rest, problems }, { styles, columns: 60 }).slice(-5)).toEqual([
    '',
    'PORT is wrong',
    '  not a number.',
    '  Fix it in .env.',
    'The oracle does not start: 1 problem.',
  ])
})

test('no line is wider than the terminal, and no name moves the cursor', () => {
  const long = 'an_almost_endless_name_of_a_tool_that_somebody_thought_up'
  const evil = '\u001b[2Jevil\r\nname 天気'
  const turn = {
    ...inspection.turn!,
    prompt: `${evil} with many words behind it, so that it has to be broken`,
    tools: [tool(long, evil, 10), tool(evil, long, 2)],
    loadable: [{ plugin: evil, tools: 3, tokens: 4 }],
  }
  const oracle = { ...inspection.oracle, name: `${evil} ${long}`, model: evil }
  const plugins = [plugin('weather', { state: 'failed', reason: `it is ${evil} and more than a line can take` })]
  const lines = inspectionLines({ ...inspection, oracle, plugins, turn }, { styles, columns: 40 })
  expect(lines.filter(line => displayWidth(line) > 40)).toEqual([])
  expect(lines.join('')).not.toMatch(/\p{Cc}/u)
})
