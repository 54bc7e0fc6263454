import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BootError, definePlugin } from '@sibyl/plugin'
import type { BootProblem } from '@sibyl/plugin/host'
import { testApp } from '@sibyl/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { mcp } from '../mcp.ts'
import { readServersFile } from './read-servers-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcp-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

const variables: Readonly<Record<string, string>> = { NOTES_TOKEN: 'hunter2-hunter2', FOLDER: '/srv/notes' }
let count = 0

const read = (content: unknown) => {
  const file = join(folder, `${++count}.json`)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return readServersFile({ file, variable: name => variables[name] })
}

const problemsOf = async (content: unknown): Promise<readonly BootProblem[]> => {
  const error = await read(content).then(
    () => undefined,
    (failure: unknown) => failure,
  )
  return error instanceof BootError ? error.problems : []
}

/** Headlines without the folder, with the first line of each. */
const violationsOf = async (content: unknown) =>
  (await problemsOf(content)).map(({ headline, lines }) => `${headline.replace(/ in \/\S+/, '')}: ${lines[0]}`)

const server = (members: object) => ({ mcpServers: { notes: members } })

describe('a server', () => {
  test('is a program', async () => {
    const members = { command: 'npx', args: ['-y', 'notes'], env: { TOKEN: `\${NOTES_TOKEN}` }, cwd: '/srv' }
    expect(await read(server(members))).toEqual([
      {
        name: 'notes',
        title: 'notes',
        address: {
          kind: 'stdio',
          command: 'npx',
          args: ['-y', 'notes'],
          env: { TOKEN: 'hunter2-hunter2' },
          cwd: '/srv',
        },
        identity: { kind: 'oracle' },
        approval: 'writes',
        ability: ['mcp/notes', 'chat/personal'],
        trusted: false,
        timeoutSeconds: 60,
        manifest: {},
        secrets: ['hunter2-hunter2'],
      },
    ])
  })

  test('is an address, with what is only for us in "sibyl"', async () => {
    const sibyl = {
      summary: 'Notes of the house.',
      tools: ['find'],
      approval: 'always',
      ability: 'notes/use',
      timeoutSeconds: 5,
      identity: 'caller',
      audience: 'did:web:notes.example',
      resource: 'notes:house',
      abilities: ['notes/read'],
    }
    const members = { type: 'streamable-http', url: 'https://notes.example/mcp', headers: { 'X-House': '7' }, sibyl }
    const [entry] = await read({ mcpServers: { 'My Notes': members } })
    expect(entry).toMatchObject({
      name: 'my-notes',
      title: 'My Notes',
      address: { kind: 'http', url: 'https://notes.example/mcp', headers: { 'X-House': '7' }, way: 'streamable' },
      identity: {
        kind: 'caller',
        audience: 'did:web:notes.example',
        resource: 'notes:house',
        abilities: ['notes/read'],
      },
      approval: 'always',
      ability: 'notes/use',
      tools: ['find'],
      timeoutSeconds: 5,
      manifest: { summary: 'Notes of the house.' },
    })
  })

  test.each([
    [`\${NOTES_TOKEN}`, 'hunter2-hunter2'],
    [`\${env:NOTES_TOKEN}`, 'hunter2-hunter2'],
    [`\${MISSING:-none}/\${FOLDER:-x}`, 'none//srv/notes'],
    [`\${MISSING:-}`, ''],
    ['$NOTES_TOKEN', '$NOTES_TOKEN'],
  ])('takes the reference %s', async (written, value) => {
    const [entry] = await read(server({ command: 'notes', args: [written] }))
    expect(entry?.address).toMatchObject({ args: [value] })
  })

  test('that is disabled is not there, whatever else it says', async () => {
    expect(await read(server({ disabled: true, url: `\${NOWHERE}` }))).toEqual([])
  })

  test('of another host is understood: outer key, members that we do not know, a byte order mark', async () => {
    const members = { command: 'notes', type: 'stdio', alwaysAllow: ['x'], envFile: `\${workspaceFolder}/.env` }
    expect(await read(`\ufeff${JSON.stringify({ inputs: [], servers: { notes: members } })}`)).toHaveLength(1)
  })

  test('returns the values to redact: headers, references and secret names, but no folders and plain URLs', async () => {
    const env = { HOME_FOLDER: `\${FOLDER}`, API_KEY: 'written-key-1', MODE: 'production' }
    const headers = { Authorization: 'Bearer written-token-2' }
    const [program] = await read(server({ command: 'x', args: [`--token=\${NOTES_TOKEN}`], env }))
    const [http] = await read(server({ url: 'https://notes.example/mcp?key=written-key-3', headers }))
    expect(program?.secrets).toEqual(['hunter2-hunter2', 'written-key-1'])
    expect(http?.secrets).toEqual(['Bearer written-token-2', 'written-token-2', 'written-key-3'])
  })
})

describe('a problem names server and member:', () => {
  test.each([
    [{}, 'It has neither a command nor a url. Add one.'],
    [{ command: 'x', url: 'https://x.example' }, 'It has both a command and a url. Remove one.'],
  ])('%j', async (members, violation) => {
    expect(await violationsOf(server(members))).toEqual([`MCP server 'notes' is invalid: ${violation}`])
  })

  test.each([
    [{ command: 7 }, 'command', 'It must be a text.'],
    [{ command: 'x', args: ['a', 7] }, 'args.1', 'It must be a text.'],
    [{ command: 'x', type: 'sse' }, 'type', "It is 'sse', but a command uses stdio. Remove it."],
    [{ url: 'notes.example' }, 'url', 'It is not a URL (13 characters). Write https://… or http://…'],
    [{ url: 'file:///etc/passwd' }, 'url', 'It is not a URL (18 characters). Write https://… or http://…'],
    [{ url: 'https://me:hunter2@x.example' }, 'url', 'It contains a user name or password. Move them to headers.'],
    [
      { url: 'https://x.example', headers: { A: 'b\r\nC: d' } },
      'headers.A',
      'It contains a line break or another control character.',
    ],
    [{ url: 'https://x.example', headers: { 'A b': 'c' } }, 'headers.A b', 'It is not a valid header name.'],
    [
      { command: 'x', env: { A: `\${NOWHERE}` } },
      'env.A',
      `It uses \${NOWHERE}, which is unset or is a secret of the oracle itself. Set it in .env, or write \${NOWHERE:-default}.`,
    ],
    [
      { command: `\${input:key}` },
      'command',
      `It contains '\${input:key}', which is not a valid reference. Write \${NAME} or \${NAME:-default}.`,
    ],
    [{ command: 'x', sibyl: { aproval: 'never' } }, 'sibyl', 'It has unknown members: aproval.'],
    [
      { command: 'x', sibyl: { approval: 'sometimes' } },
      'sibyl.approval',
      'It must be writes, always, never or a list of tools.',
    ],
    [
      { command: 'x', sibyl: { identity: 'caller' } },
      'sibyl.identity',
      "It is 'caller', which needs a url, because a local program has no callers.",
    ],
    [
      { url: 'https://x.example', sibyl: { identity: 'caller' } },
      'sibyl.identity',
      "It is 'caller', which needs audience, resource and abilities. Add them.",
    ],
    [
      { url: 'https://x.example', headers: { authorization: 'x' }, sibyl: { identity: 'caller' } },
      'sibyl.identity',
      "It is 'caller', so the header Authorization is created for each user. Remove it from the headers.",
    ],
  ])('%j', async (members, member, violation) => {
    expect(await violationsOf(server(members))).toEqual([`MCP server 'notes' has an invalid '${member}': ${violation}`])
  })

  test('reports all of them at once, of all servers', async () => {
    const servers = {
      one: { command: 7, args: 8 },
      two: { url: 'x', env: { A: `\${NOWHERE}` } },
      '3rd': { command: 'x' },
    }
    expect(
      (await problemsOf({ mcpServers: servers })).map(({ headline }) => headline.replace(/ in \/\S+/, '')),
    ).toEqual([
      "MCP server 'one' has an invalid 'command'",
      "MCP server 'one' has an invalid 'args'",
      "MCP server 'two' has an invalid 'env.A'",
      "MCP server 'two' has an invalid 'url'",
      "MCP server '3rd' is invalid",
    ])
  })

  test('two servers of one name', async () => {
    const servers = { 'my notes': { command: 'x' }, My_Notes: { command: 'y' } }
    expect(await violationsOf({ mcpServers: servers })).toEqual([
      "MCP server 'My_Notes' is invalid: It and 'my notes' would both have the name 'my-notes'. Rename one of them.",
    ])
  })

  test('a name that stands twice, which JSON itself passes over', async () => {
    const text = '{"mcpServers":{"notes":{"command":"x","args":["{","notes"]},"n\\u006ftes":{"command":"y"}}}'
    expect(await violationsOf(text)).toEqual([
      "MCP server 'notes' is invalid: 'notes' is a duplicate. Rename or remove one.",
    ])
  })

  test('never what a value was', async () => {
    const content = server({
      command: 'x',
      env: { A: { deep: 'hunter2' } },
      args: 'hunter2',
      sibyl: 'hunter2',
      cwd: ['hunter2'],
    })
    expect(JSON.stringify(await problemsOf(content))).not.toContain('hunter2')
    expect(JSON.stringify(await problemsOf(`{"mcpServers": {"a": {"env": {"A": "hunter2" hunter2`))).not.toContain(
      'hunter2',
    )
  })
})

describe('the file', () => {
  test.each([
    ['', /^MCP servers cannot be read from \S+: The file is not valid JSON/],
    ['{"mcpServers": {\n  "a": x\n}}', /The file is not valid JSON/],
    ['[]', /The file has no object "mcpServers"/],
    ['{"mcpServers": []}', /The file has no object "mcpServers"/],
    [
      JSON.stringify({ mcpServers: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`s${n}`, {}])) }),
      /201 servers; the maximum is 200/,
    ],
    [' '.repeat(1_000_001), /1000001 bytes; the maximum is 1000000/],
  ])('%#: is rejected', async (text, violation) => {
    expect((await violationsOf(text)).join()).toMatch(violation)
  })

  test('that is named and not there keeps the oracle from starting, and names the variable', async () => {
    const env = { MCP_SERVERS_FILE: '/nowhere/mcp.json' }
    await expect(testApp({ plugins: [mcp()], env })).rejects.toMatchObject({
      problems: [
        {
          code: 'mcp_servers_invalid',
          headline: 'MCP servers cannot be read from /nowhere/mcp.json',
          lines: [
            'The file does not exist. MCP_SERVERS_FILE names it.',
            'Fix /nowhere/mcp.json, or disable the plugin: features: { mcp: false } in createOracleApp',
          ],
          plugin: 'mcp',
          variable: 'MCP_SERVERS_FILE',
        },
      ],
    })
  })

  test('the default file may be missing', async () => {
    expect(await readServersFile({ variable: () => undefined })).toEqual([])
  })

  test('gives no secret of the oracle to a server', async () => {
    const file = join(folder, 'greedy.json')
    writeFileSync(file, JSON.stringify(server({ command: 'x', env: { A: `\${ORACLE_MNEMONIC}` } })))
    await expect(testApp({ plugins: [mcp()], env: { MCP_SERVERS_FILE: file } })).rejects.toThrow(
      /uses \$\{ORACLE_MNEMONIC\}, which is unset or is a secret of the oracle itself/,
    )
  })

  test('names no server as a plugin is named', async () => {
    const file = join(folder, 'taken.json')
    writeFileSync(file, JSON.stringify({ mcpServers: { weather: { command: 'x' } } }))
    const weather = definePlugin({
      name: 'weather',
      version: '0.1.0',
      core: '^0.1.0',
      manifest: { title: 'Weather', summary: 'Weather.', whenToUse: ['x'] },
      setup: () => ({}),
    })
    await expect(testApp({ plugins: [weather, mcp()], env: { MCP_SERVERS_FILE: file } })).rejects.toMatchObject({
      problems: [
        {
          code: 'capability_name_taken',
          headline: "Plugins 'weather' and 'mcp' both have the capability name 'weather'",
        },
      ],
    })
  })
})
