import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { OracleInspection } from '@sibyl/core/records'
import { createMnemonic } from '@sibyl/identity'
import { reservePort } from '@sibyl/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkAddress } from './checks/address-check.ts'
import { checkDatabase } from './checks/database-check.ts'
import { checkFiles } from './checks/files-check.ts'
import { checkIdentity } from './checks/identity-check.ts'
import { checkMatrix } from './checks/matrix-check.ts'
import { checkMcp, checkMcpFile } from './checks/mcp-check.ts'
import { checkModel } from './checks/model-check.ts'
import { checkClock, checkNode } from './checks/node-check.ts'
import { checkProduction } from './checks/production-check.ts'
import { checkRegistry } from './checks/registry-check.ts'
import { checkVersions } from './checks/versions-check.ts'
import { contextOf, inShort } from './doctor-context.test.helper.ts'
import { type Answer, serveAnswers } from './web-server.test.helper.ts'

describe('Node and versions', () => {
  test.each([
    ['>=22.18', 'ok'],
    ['>=99', 'fail'],
    ['>=99.1.2', 'fail'],
    ['^22 || ^24', 'ok'],
  ])('engines %s: %s', async (node, state) => {
    const context = await contextOf({ files: { 'package.json': JSON.stringify({ engines: { node } }) } })
    expect((await checkNode(context))[0]).toMatchObject({ state })
  })

  const installed = (packages: Readonly<Record<string, string>>) =>
    contextOf({
      files: Object.fromEntries(
        Object.entries(packages).map(([name, version]) => [
          `node_modules/${name}/package.json`,
          JSON.stringify({ name, version }),
        ]),
      ),
    })

  test.each([
    [{}, 'fail versions @sibyl/core is not installed in the project.'],
    [{ '@sibyl/core': '0.1.0', '@sibyl/bundle': '0.1.0' }, 'ok versions 2 packages @sibyl/… 0.1.0'],
    [
      { '@sibyl/core': '0.1.0', '@sibyl/bundle': '0.0.9' },
      'fail versions The @sibyl packages of the project have 2 versions: @sibyl/bundle 0.0.9, @sibyl/core 0.1.0.',
    ],
    [{ '@sibyl/core': '0.0.9' }, 'warn versions The project has version 0.0.9, older than this command (0.1.0).'],
    [{ '@sibyl/core': '0.10.0' }, 'warn versions The project has version 0.10.0, newer than this command (0.1.0).'],
  ])('%j', async (packages, expected) => {
    expect(inShort(await checkVersions(await installed(packages)))).toContain(expected)
  })
})

describe('files', () => {
  test('that others can read or write are reported, with the command that fixes them', async () => {
    const context = await contextOf({ files: { '.env': 'A=1\n', '.data/x': '', 'home/key.json': '{}' } })
    for (const path of ['.env', 'home/key.json']) chmodSync(join(context.folder, path), 0o644)
    for (const path of ['.data', 'home']) chmodSync(join(context.folder, path), 0o755)
    const { folder } = context
    expect(inShort(await checkFiles(context))).toEqual([
      `warn home Other users can read ${folder}/home/key.json.`,
      'warn env-mode Other users can read .env (0644).',
      'warn data-mode Other users can read .data (0755).',
    ])
    chmodSync(join(folder, 'home'), 0o777)
    chmodSync(join(folder, '.env'), 0o600)
    chmodSync(join(folder, '.data'), 0o700)
    expect(inShort(await checkFiles(context))).toEqual([
      `fail home Other users can write to ${folder}/home (0777).`,
      'ok env-mode only you can read .env',
    ])
  })

  test('.env in git is reported', async () => {
    const context = await contextOf({ files: { '.env': 'A=1\n' } })
    const git = (...args: string[]) => execFileSync('git', ['-C', context.folder, ...args], { stdio: 'ignore' })
    const ofGit = async () => inShort(await checkFiles(context)).filter(line => line.includes('env-git'))
    git('init')
    expect(await ofGit()).toEqual(['warn env-git .env is not ignored by git.'])
    git('add', '.env')
    expect(await ofGit()).toEqual(['fail env-git .env is in git, with all its secrets.'])
    git('rm', '--cached', '.env')
    writeFileSync(join(context.folder, '.gitignore'), '.env\n')
    expect(await ofGit()).toEqual(['ok env-git git leaves .env out'])
  })
})

describe('identity', () => {
  test('reports an invalid mnemonic without its content', async () => {
    const words = 'abandon abandon canary'
    const findings = await checkIdentity(await contextOf({ env: { ORACLE_MNEMONIC: words } }))
    expect(findings[0]).toMatchObject({ state: 'fail', check: 'mnemonic' })
    expect(JSON.stringify(findings)).not.toContain('canary')
    expect((await checkIdentity(await contextOf()))[0]).toMatchObject({ state: 'warn' })
  })

  test('a did:web elsewhere that resolves to another document, or to none', async () => {
    const ORACLE_MNEMONIC = createMnemonic(12).reveal()
    const other = await serveAnswers({ 'GET /.well-known/did.json': { id: 'did:web:other', verificationMethod: [] } })
    const identity = async (publicUrl: string, publicDid: string) =>
      inShort(await checkIdentity(await contextOf({ env: { ORACLE_MNEMONIC }, oracle: { publicUrl, publicDid } })))[1]
    expect(await identity(other.url, 'did:web:mine')).toBe(
      `fail did-web ${other.url} responds, but not with the document of did:web:mine.`,
    )
    expect(await identity(other.url, 'did:web:other')).toContain('has another key than ORACLE_MNEMONIC')
    expect(await identity('http://x.invalid', 'did:web:x.invalid')).toMatch(/^warn did-web did:web:x.invalid does not/)
    expect(await identity(`http://localhost:${await reservePort()}`, 'did:web:localhost')).toMatch(/^ok did-web /)
  })
})

describe('the port', () => {
  const address = async (port: number, host = '127.0.0.1') =>
    inShort(await checkAddress(await contextOf({ oracle: { port, host } })))[0]

  test('is free, or used by a program or an oracle', async () => {
    const port = await reservePort()
    expect(await address(port)).toBe(`ok port PORT ${port} is free`)
    const page = await serveAnswers({})
    expect(await address(page.port)).toBe(`fail port PORT ${page.port} is already in use.`)
    const silent = createServer(socket => socket.end('hello')).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const taken = (silent.address() as { port: number }).port
    expect(await address(taken)).toBe(`fail port PORT ${taken} is already in use.`)
    const record = {
      name: 'Delphi',
      version: '1',
      publicDid: 'did:web:delphi',
      did: 'did:key:z6MkX',
      authentication: [],
      access: 'open',
      endpoints: {},
    }
    const oracle = await serveAnswers({ 'GET /.well-known/oracle.json': record })
    expect(await address(oracle.port)).toBe(
      `fail port PORT ${oracle.port} is already in use by another oracle, Delphi.`,
    )
    expect(await address(port, '192.0.2.1')).toContain('cannot listen on 192.0.2.1')
    expect(await address(0)).toContain('ok port PORT is 0')
  })
})

describe('the registry', () => {
  const did = 'did:web:registry:entities:1'
  const registry = (endpoint: unknown, metadata = {}) =>
    serveAnswers({
      [`GET /1.0/identifiers/${did}`]: {
        didDocument: { id: did, service: [{ id: `${did}#api`, type: 'OracleApi', serviceEndpoint: endpoint }] },
        didDocumentMetadata: metadata,
      },
    })
  const check = async (url: string, env: Record<string, string> = {}, oracle = {}) =>
    checkRegistry(await contextOf({ env: { REGISTRY_URL: url, ORACLE_ENTITY_DID: did, ...env }, oracle }))

  test('lists the oracle at 4000 while it boots on 3000: both remedies', async () => {
    const { url } = await registry('http://localhost:4000')
    const [entity, listed] = await check(url)
    expect(entity).toMatchObject({ state: 'ok', message: `its entity resolves at the registry at ${url}` })
    expect(listed).toMatchObject({
      state: 'warn',
      message: 'The registry lists your oracle at http://localhost:4000, but it listens on 3000.',
      fix: 'PORT=4000 in .env, or: sibyl update-oracle-api-url --port 3000',
    })
    const right = await check(url, {}, { port: 4000, publicUrl: 'http://localhost:4000' })
    expect(right[1]).toMatchObject({ state: 'ok' })
    const [, elsewhere] = await check(url, {}, { publicUrl: 'https://oracle.example.org' })
    expect(elsewhere?.fix).toContain('sibyl update-oracle-api-url https://oracle.example.org')
  })

  test('does not list it, lists it as deactivated, does not respond, or is not a registry', async () => {
    const empty = await serveAnswers({})
    expect(inShort(await check(empty.url))[0]).toContain('fail entity The registry at')
    const gone = await registry('http://localhost:3000', { deactivated: true })
    expect(inShort(await check(gone.url))[0]).toContain('is deactivated')
    expect(inShort(await check(`http://127.0.0.1:${await reservePort()}`))[0]).toMatch(
      /^warn .*does not respond \(ECONNREF/,
    )
    const page = await serveAnswers({ [`GET /1.0/identifiers/${did}`]: 'hello' })
    expect(inShort(await check(page.url))[0]).toContain('warn entity The server at')
    expect(inShort(await check(page.url, { ORACLE_ENTITY_DID: '' }))[0]).toContain(
      'warn entity The oracle is not registered, so registries do not list it.',
    )
  })

  test('is a chain of the right network, or of another one', async () => {
    const node = await serveAnswers({ 'GET /status': { result: { node_info: { network: 'pandora-8' } } } })
    const chain = async (NETWORK: string) => inShort(await check('', { NETWORK, CHAIN_RPC_URL: node.url }))
    expect(await chain('testnet')).toEqual(['ok chain a node of the testnet responds (pandora-8)'])
    expect(await chain('mainnet')).toEqual([
      'fail chain The node at CHAIN_RPC_URL belongs to pandora-8, not to the mainnet.',
    ])
  })
})

describe('the database', () => {
  const migrations = [{ owner: 'core', names: ['001_a', '002_b'] }]
  const withDatabase = async (steps: readonly string[]) => {
    const context = await contextOf({ inspection: { migrations } })
    const path = join(context.folder, '.data/sibyl.db')
    mkdirSync(join(context.folder, '.data'))
    const database = new DatabaseSync(path)
    database.exec('pragma journal_mode = wal; create table sibyl_migrations (owner text, name text)')
    for (const name of steps) database.prepare("insert into sibyl_migrations values ('core', ?)").run(name)
    database.close()
    return { context, path, check: async () => inShort(await checkDatabase(context)) }
  }

  test('opens, is up to date, behind or ahead, and leaves no files', async () => {
    const { check, context } = await withDatabase(['001_a', '002_b'])
    expect(await check()).toEqual(['ok database sibyl.db opens', 'ok migrations its tables are up to date'])
    expect(readdirSync(join(context.folder, '.data'))).toEqual(['sibyl.db'])
    expect((await (await withDatabase(['001_a'])).check())[1]).toBe('warn migrations 1 migration pending.')
    expect((await (await withDatabase(['000_merged'])).check())[1]).toBe('warn migrations 2 migrations pending.')
    expect((await (await withDatabase(['001_a', '003_c'])).check())[1]).toContain('was migrated by newer packages than')
  })

  test('may be in use by an oracle', async () => {
    const { check, path } = await withDatabase(['001_a', '002_b'])
    const lock = new DatabaseSync(`${path}.lock`)
    onTestFinished(() => lock.close())
    lock.exec('begin exclusive')
    expect(await check()).toEqual([
      'ok database sibyl.db opens; an oracle is using it',
      'ok migrations its tables are up to date',
    ])
  })

  test('is missing, cannot be created, is damaged, or was not closed', async () => {
    const check = async (DATABASE_URL: string, files = {}) =>
      inShort(await checkDatabase(await contextOf({ env: { DATABASE_URL }, files })))[0]
    expect(await check('file:./.data/new.db')).toBe('ok database the first start creates new.db')
    expect(await check('file:./file/new.db', { file: '' })).toContain('fail database The database cannot be created: ')
    expect(await check('file:./x.db', { 'x.db': 'no database at all'.repeat(500) })).toContain(
      'fail database x.db cannot be opened',
    )
    expect(await check('file:./x', { 'x/y': '' })).toContain('is not a file')
    expect(await check('file:./x.db', { 'x.db': '', 'x.db-wal': 'x' })).toContain('was not closed by its last oracle')
    expect(await check('memory:')).toContain('in memory')
  })

  test('is a PostgreSQL that responds or does not', async () => {
    const server = createServer(socket => socket.once('data', () => socket.end('N'))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    const check = async (place: string) =>
      inShort(await checkDatabase(await contextOf({ env: { DATABASE_URL: `postgres://me:canary@${place}/db` } })))[0]
    expect(await check(`127.0.0.1:${port}`)).toContain(`ok database PostgreSQL responds at 127.0.0.1:${port}`)
    const unreachable = await check(`127.0.0.1:${await reservePort()}`)
    expect(unreachable).toMatch(/^fail database No PostgreSQL server responds at .*\(ECONNREFUSED\)/)
    expect(unreachable).not.toContain('canary')
    const page = await serveAnswers({})
    expect(await check(`127.0.0.1:${page.port}`)).toContain('another program responded')
  })
})

describe('the homeserver', () => {
  const versions = { 'GET /_matrix/client/versions': { versions: ['v1.11'] } }
  const who = 'GET /_matrix/client/v3/account/whoami'
  const check = async (MATRIX_BASE_URL: string, env = {}) =>
    inShort(await checkMatrix(await contextOf({ env: { MATRIX_BASE_URL, ...env } })))
  const token = { MATRIX_ORACLE_ADMIN_ACCESS_TOKEN: 'canary-token', MATRIX_ORACLE_ADMIN_USER_ID: '@oracle:x' }

  test('responds, and accepts the token of the bot', async () => {
    const { url, seen } = await serveAnswers({ ...versions, [who]: { user_id: '@oracle:x' } })
    expect(await check(url, token)).toEqual([
      `ok matrix the homeserver ${url} answers`,
      'ok matrix the bot is signed in as @oracle:x',
    ])
    expect(seen.map(({ authorization }) => authorization)).toEqual([undefined, 'Bearer canary-token'])
    expect((await check(url))[1]).toContain('warn matrix The bot has no access token')
    const password = { MATRIX_ORACLE_ADMIN_USER_ID: '@oracle:x', MATRIX_ORACLE_ADMIN_PASSWORD: 'canary-password' }
    expect((await check(url, password))[1]).toBe('ok matrix the bot signs in with its password, as @oracle:x')
  })

  test('is not a homeserver, does not respond, rejects the token, or has another name for the bot', async () => {
    const page = await serveAnswers({})
    expect(await check(page.url)).toEqual([`fail matrix The server at ${page.url} is not a Matrix homeserver.`])
    expect((await check(`http://127.0.0.1:${await reservePort()}`))[0]).toContain('No homeserver responds')
    expect((await check('nonsense'))[0]).toContain('fail matrix')
    const refuses: Answer = (_, response) => response.writeHead(401).end('{"errcode":"M_UNKNOWN_TOKEN"}')
    const refusing = await serveAnswers({ ...versions, [who]: refuses })
    const refused = await check(refusing.url, token)
    expect(refused[1]).toBe("fail matrix The homeserver rejects the bot's token (status 401).")
    expect(refused.join()).not.toContain('canary')
    const other = await serveAnswers({ ...versions, [who]: { user_id: '@other:x' } })
    expect((await check(other.url, token))[1]).toContain('belongs to @other:x, not to @oracle:x')
  })
})

describe('MCP servers', () => {
  const check = async (url: string, more = '') =>
    inShort(await checkMcp(await contextOf({ files: { '.env': `MEMORY_MCP_URL=${url}\n${more}` } })))
  const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'notes', version: '1.2.0' } }

  test('complete a handshake by JSON or by events, and are disconnected', async () => {
    const byJson = await serveAnswers({ 'POST /mcp': { jsonrpc: '2.0', id: 1, result } }, { 'mcp-session-id': 's1' })
    expect(await check(`${byJson.url}/mcp`)).toEqual(['ok mcp MEMORY_MCP_URL is notes 1.2.0'])
    expect(byJson.seen.map(({ line }) => line)).toEqual(['POST /mcp', 'DELETE /mcp'])
    expect(JSON.parse(byJson.seen[0]?.body ?? '')).toMatchObject({ jsonrpc: '2.0', method: 'initialize' })
    await check(`${byJson.url}/mcp`, 'MEMORY_MCP_TOKEN=canary\n')
    expect(byJson.seen.map(({ authorization }) => authorization)).toEqual([
      undefined,
      undefined,
      'Bearer canary',
      'Bearer canary',
    ])
    const events: Answer = (_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`)
    const byEvents = await serveAnswers({ 'POST /mcp': events })
    expect(await check(`${byEvents.url}/mcp`)).toEqual(['ok mcp MEMORY_MCP_URL is notes 1.2.0'])
    expect(await check('embedded:')).toEqual(['ok mcp MEMORY_MCP_URL is the bundled server'])
    expect(await check('stdio:npx -y notes')).toEqual([
      'ok mcp MEMORY_MCP_URL starts a program with the oracle; it is not tested',
    ])
  })

  test('are not MCP servers, do not respond, or require credentials', async () => {
    const page = await serveAnswers({ 'POST /locked': ((_, response) => response.writeHead(401).end()) as Answer })
    expect((await check(page.url))[0]).toContain(
      'fail mcp The server at MEMORY_MCP_URL is not an MCP server (status 404)',
    )
    expect((await check(`${page.url}/locked`))[0]).toContain(
      'warn mcp The MCP server of MEMORY_MCP_URL requires credentials',
    )
    expect((await check(`${page.url}/locked`, 'MEMORY_MCP_TOKEN=wrong\n'))[0]).toContain(
      'fail mcp The MCP server of MEMORY_MCP_URL rejects MEMORY_MCP_TOKEN',
    )
    expect((await check(`http://127.0.0.1:${await reservePort()}`))[0]).toContain('No MCP server responds')
    expect((await check('nonsense'))[0]).toContain('is not the address of an MCP server')
  })
})

describe('the model', () => {
  const check = async (env: Record<string, string>, { online = false, oracle = {} } = {}) =>
    inShort(await checkModel(await contextOf({ env, online, oracle })))[0]

  test('is called online only', async () => {
    const provider = await serveAnswers({ 'GET /v1/models': { data: [{ id: 'small' }] } })
    const env = { OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: 'canary-key', LLM_MODEL: 'small' }
    expect(await check(env)).toMatch(/^ok model .*--online tests/)
    expect(provider.seen).toEqual([])
    expect(await check(env, { online: true })).toMatch(/^ok model .* accepts the key/)
    expect(provider.seen[0]?.authorization).toBe('Bearer canary-key')
    expect(await check({ ...env, LLM_MODEL: 'large' }, { online: true })).toContain('warn model')
    const refuses: Answer = (_, response) => response.writeHead(401).end()
    const other = await serveAnswers({ 'GET /v1/models': refuses })
    const refused = await check({ ...env, OPENAI_BASE_URL: `${other.url}/v1` }, { online: true })
    expect(refused).toMatch(/^fail model .* rejects the key \(status 401\)\./)
    expect(refused).not.toContain('canary')
    const unreachable = await check(
      { ...env, OPENAI_BASE_URL: `http://127.0.0.1:${await reservePort()}` },
      { online: true },
    )
    expect(unreachable).toContain('does not respond')
  })

  test('is missing in production, or the offline one', async () => {
    const oracle = { environment: 'production' }
    expect(await check({}, { oracle })).toContain('fail model No language model is set')
    expect(await check({ LLM_PROVIDER: 'offline' }, { oracle })).toContain('warn model The offline model')
    expect(await check({ LLM_PROVIDER: 'openai' })).toContain('fail model OPENAI_API_KEY is blank.')
    expect(await check({})).toContain('ok model the offline model answers')
  })
})

test('a wrong clock is reported, by comparison with other servers', async () => {
  const past = new Date(Date.now() - 3_600_000).toUTCString()
  const server = await serveAnswers({}, { date: past })
  const context = await contextOf()
  expect(checkClock(context)).toEqual([])
  await context.send(server.url)
  expect(inShort(checkClock(context))[0]).toMatch(
    /^fail clock The clock is 60 m \d\d s ahead of that of 127\.0\.0\.1:\d+\./,
  )
  const right = await contextOf()
  await right.send((await serveAnswers({})).url)
  expect(inShort(checkClock(right))[0]).toMatch(/^ok clock /)
})

test('production requires access that is open elsewhere to be closed', async () => {
  const ussd: OracleInspection['plugins'][number] = {
    name: 'ussd',
    version: '0.1.0',
    title: 'USSD',
    summary: '',
    bundled: true,
    load: 'on-demand',
    state: 'loaded',
    tools: [],
    toolsVary: false,
    routes: [],
  }
  const check = async (env: Record<string, string>) =>
    inShort(
      await checkProduction(
        await contextOf({ env, oracle: { environment: 'production' }, inspection: { plugins: [ussd] } }),
      ),
    ).map(line => line.split(' ').slice(0, 2).join(' '))
  expect(await check({})).toEqual([
    'fail controllers',
    'fail mnemonic',
    'warn operator-token',
    'warn ussd-operator-token',
    'fail ussd-gateway',
    'fail public-url',
  ])
  const set = {
    ORACLE_CONTROLLERS: 'did:key:z6MkX',
    ORACLE_MNEMONIC: 'words',
    ORACLE_OPERATOR_TOKEN: 'token',
    USSD_OPERATOR_TOKEN: 'token',
    USSD_GATEWAY_ONLY: 'true',
    PUBLIC_URL: 'https://oracle.example.org',
  }
  expect(await check(set)).toEqual(['ok settings'])
  expect(await check({ ...set, PUBLIC_URL: 'http://oracle.example.org' })).toEqual(['warn public-url'])
  expect(await checkProduction(await contextOf())).toEqual([])
})

describe('the MCP servers of mcp.json', () => {
  const program = (lines: string) => ({ command: process.execPath, args: ['--input-type=module', '-e', lines] })
  const answers = `
    import { createInterface } from 'node:readline'
    const tools = [{ name: 'read', inputSchema: { type: 'object' } }, { name: 'write', inputSchema: { type: 'object' } }]
    createInterface({ input: process.stdin }).on('line', line => {
      const { id, method } = JSON.parse(line)
      if (id === undefined) return
      const result = method === 'initialize'
        ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } }
        : method === 'tools/list' ? { tools } : undefined
      const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } }
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n')
    })`
  const mcp = { name: 'mcp', version: '0.1.0', state: 'loaded' as const }
  const check = async (servers: Record<string, unknown>, more = '', file = 'mcp.json') => {
    const files = { [file]: JSON.stringify({ mcpServers: servers }), '.env': more }
    const inspection = { plugins: [mcp] } as unknown as Partial<OracleInspection>
    return inShort(await checkMcpFile(await contextOf({ files, inspection })))
  }

  test('are connected: number of tools, or the reason for a failure', async () => {
    const failing = "process.stderr.write('The key ' + process.env.NOTES_TOKEN + ' is refused.'); process.exit(2)"
    const servers = {
      notes: program(answers),
      broken: { ...program(failing), env: { NOTES_TOKEN: '$' + '{NOTES_TOKEN}' } },
      remote: { url: `http://127.0.0.1:${await reservePort()}/mcp` },
      mine: {
        url: 'https://mcp.example/mcp',
        sibyl: { identity: 'caller', audience: 'did:web:mcp.example', resource: 'notes:x', abilities: ['notes/read'] },
      },
      off: { command: 'no-such-program', disabled: true },
    }
    const found = await check(servers, 'NOTES_TOKEN=canary-0123456789\n')
    expect(found).toHaveLength(4)
    expect(found[0]).toBe('ok mcp-server MCP server notes has 2 tools')
    expect(found[1]).toMatch(
      /^fail mcp-server MCP server broken is away: .*exit code 2.* It wrote: The key \S+ is refused\.$/,
    )
    expect(found[2]).toMatch(/^fail mcp-server MCP server remote is away: /)
    expect(found[3]).toBe('ok mcp-server MCP server mine connects for each caller; it is not tested')
    expect(found.join()).not.toContain('canary')
  })

  test('are those of MCP_SERVERS_FILE, relative to the project', async () => {
    const file = 'servers.json'
    expect(await check({ notes: program(answers) }, `MCP_SERVERS_FILE=./${file}\n`, file)).toEqual([
      'ok mcp-server MCP server notes has 2 tools',
    ])
  })
})
