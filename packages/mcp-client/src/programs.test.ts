import { afterEach, expect, test, vi } from 'vitest'
import { connected, program, recordedLog } from './connect-mcp.test.support.ts'

const textsOf = (lines: readonly string[]) =>
  lines.flatMap(line => /^An MCP server wrote to its standard error (.*)$/.exec(line)?.slice(1) ?? [])
const sentTexts = (lines: readonly string[]): string[] => textsOf(lines).map(line => JSON.parse(line).said)

afterEach(() => vi.unstubAllEnvs())

test('the standard error of a program is logged line by line, bounded and clean', async () => {
  const token = `token${'x'.repeat(40)}`
  const stderr = [
    '\u001b[31mready\u001b[0m on stdio',
    'ready on stdio',
    '',
    'via http://ann:hunter2@proxy.example:8080',
    `${'y '.repeat(490)}${token}`,
    'z'.repeat(100_000),
    ...Array.from({ length: 100 }, (_, index) => `line ${index}`),
    'without an end',
  ].join('\n')
  const log = recordedLog()
  const notes = connected(program({ stderr, tools: [{ name: 'echo' }] }).address, { log })
  await notes.ready()
  await expect.poll(() => sentTexts(log.lines)).toContain('line 99')
  const texts = sentTexts(log.lines)
  expect(texts[0]).toBe('ready on stdio')
  expect(texts).toContain('via http://…@proxy.example:8080')
  expect(Math.max(...texts.map(text => text.length))).toBeLessThanOrEqual(1_000)
  expect(texts.join('\n')).not.toContain('token')
  expect(log.shown.filter(line => line === 'info: An MCP server wrote to its standard error')).toHaveLength(20)
  await notes.close()
  expect(sentTexts(log.lines)).toContain('without an end')
})

test('a program that does not start says why once, however many times it is tried again', async () => {
  const log = recordedLog()
  const refusing = program({ stderr: 'The key is missing.\n', start: { exit: 1 }, tools: [] })
  connected(refusing.address, { log })
  await expect.poll(() => refusing.events().length).toBeGreaterThan(4)
  expect(log.shown.slice(0, 3)).toEqual([
    'info: An MCP server wrote to its standard error',
    'info: An MCP server wrote to its standard error',
    'warn: An MCP server is unreachable; the connection is retried',
  ])
  expect(log.shown).toHaveLength(3)
  expect(sentTexts(log.lines)[0]).toBe('The key is missing.')
})

test('a program reaches the network as the oracle does: certificates and proxies, and no other variable', async () => {
  const network = {
    NODE_EXTRA_CA_CERTS: '',
    HTTP_PROXY: 'http://proxy.example:1',
    HTTPS_PROXY: 'http://proxy.example:2',
    NO_PROXY: 'localhost',
    http_proxy: 'http://proxy.example:4',
    https_proxy: 'http://proxy.example:5',
    no_proxy: '.internal',
    NODE_USE_ENV_PROXY: '',
  }
  for (const [name, value] of Object.entries({ ...network, NODE_EXTRA_CA_CERTS: '/certs/own.pem', OTHER_SETTING: 'x' }))
    vi.stubEnv(name, value)
  const server = program({ tools: [] }, { HTTPS_PROXY: 'http://own.example:9' })
  await connected(server.address).ready()
  const { env = {} } = server.events().find(({ what }) => what === 'started') ?? {}
  expect(env).toMatchObject({
    NODE_EXTRA_CA_CERTS: '/certs/own.pem',
    HTTP_PROXY: 'http://proxy.example:1',
    HTTPS_PROXY: 'http://own.example:9',
    NO_PROXY: 'localhost',
    http_proxy: 'http://proxy.example:4',
    https_proxy: 'http://proxy.example:5',
    no_proxy: '.internal',
  })
  expect(env).not.toHaveProperty('OTHER_SETTING')
  expect(env).not.toHaveProperty('NODE_USE_ENV_PROXY')
})
