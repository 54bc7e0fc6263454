import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { reservePort, type TestApp, testApp } from '@sibyl/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeTerminal } from './commands/chat/terminal.test.helper.ts'
import { openDeveloperKey } from './home/developer-key.ts'
import { run } from './main.ts'
import { oldNode } from './process/node-version.ts'
import { folderWith } from './project/project-folder.test.helper.ts'
import { temporaryFolder } from './registry/registry-project.test.helper.ts'

// The mistakes in commands of the first week, and what is printed: what happened, why, and what to do.

const web = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<html>'))
let oracle: TestApp
let places: Readonly<Record<string, string>>

beforeAll(async () => {
  await new Promise<void>(resolve => web.listen(0, '127.0.0.1', resolve))
  oracle = await testApp({ plugins: [], env: { ORACLE_ACCESS: 'delegated' } })
  const { url } = await oracle.app.listen({ port: 0 })
  places = {
    '<oracle>': url,
    '<page>': `http://127.0.0.1:${(web.address() as AddressInfo).port}`,
    '<closed>': `http://127.0.0.1:${await reservePort()}`,
    '<other>': 'did:key:z6MkioQzT3KvC7nVfaRzEdob8dhvkamiNG5TtqoRbht8GMgW',
  }
})
afterAll(async () => {
  await oracle.app.close()
  web.close()
})

const placed = (text: string): string =>
  Object.entries(places).reduce((whole, [name, value]) => whole.replaceAll(name, value), text)

interface Circumstances {
  readonly env?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
}

/** Returns the exit code, the first line of the message without its folder, and the rest. */
const call = async (line: string, { env = {}, files = {} }: Circumstances) => {
  const folder = folderWith(files)
  const home = temporaryFolder()
  await openDeveloperKey(home)
  const fixed = { SIBYL_HOME: home, SIBYL_PACKAGES: folder, OLLAMA_HOST: '127.0.0.1:1' }
  const terminal = new FakeTerminal({ ...fixed, ...env }, false, 80, folder)
  terminal.stdin.end()
  const args = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word = '']) => placed(quoted ?? word))
  const code = await run(args, terminal.io)
  const [first = '', ...more] = terminal.errors
    .replaceAll(folder, '.')
    .slice(terminal.errors.indexOf('sibyl: '))
    .split('\n')
  return [code, first.replace('sibyl: ', ''), more.join(' ').trim()] as const
}

const project = { 'oracle.config.json': '{ "name": "Field Oracle" }', 'package.json': '{ "type": "module" }' }
const noProject = 'There is no oracle here: neither . nor a folder above it has an oracle.config.json.'

test.each<[line: string, code: number, message: string, circumstances?: Circumstances]>([
  ['cht', 2, "Unknown command 'cht'. Did you mean chat?"],
  ['chat --ulr x', 2, "Unknown option '--ulr'. Did you mean --url?"],
  ['chat hello there', 2, "Too many arguments for 'chat'. Expected 0 arguments but got 2."],
  ['token grnt', 2, "'sibyl token' has no such command, only revoke, grant, accept, list, drop, whoami, grants."],
  ['token grant', 2, "Missing required argument 'did'."],
  [
    'token grant ada',
    2,
    "Command-argument value 'ada' is invalid for argument 'did'. Expected a DID that starts with did:key:z6Mk.",
  ],
  [
    'token revoke sesame',
    2,
    'A token is not accepted as an argument, because other users of this computer could see it.',
  ],
  ['token accept sesame --url <oracle>', 2, 'sesame cannot be read (ENOENT).'],
  [
    'new',
    2,
    'There is no terminal for questions. Missing: [dir], --auth, --network, --name, --description, --price, --model.',
  ],
  ['new x --yes --price cheap', 2, '--price: Expected free, or an amount such as 0.10 IXO a question.'],
  ["new x --yes --model 'gpt 5'", 2, '--model: The name of the model has no spaces.'],
  [
    'new x --yes --api-url ftp://x',
    2,
    '--api-url: Expected an address such as http://localhost:4000, without a password.',
  ],
  ['new x --port 70000', 2, "Option '--port <port>' argument '70000' is invalid. Expected a number from 1 to 65535."],
  [
    'new x --network moon',
    2,
    "Option '--network <network>' argument 'moon' is invalid. Allowed choices are devnet, testnet, mainnet.",
  ],
  [
    'new x --template vue',
    2,
    "Option '--template <template>' argument 'vue' is invalid. Allowed choices are minimal, weather, ussd, twins, web.",
  ],
  ['new x --merge --force', 2, '--merge and --force exclude each other.'],
  ['new x --yes --network testnet', 2, 'There is no terminal for questions. Missing: --rpc-url.'],
  ['new x --yes --no-register', 3, './x is a file.', { files: { x: '' } }],
  ['new x --yes --no-register', 3, './x is not empty: y.', { files: { 'x/y': '' } }],
  ['new x --yes --mnemonic-file w', 2, 'The file of --mnemonic-file cannot be read (ENOENT).'],
  [
    'new x --yes --mnemonic-file w',
    2,
    'The file of --mnemonic-file does not contain a mnemonic. A mnemonic has 12 or 24 words, got 1: check for missing or repeated words.',
    { files: { w: 'legal' } },
  ],
  ['env check', 3, noProject],
  ['dev', 3, noProject],
  ['plugin new pump', 3, noProject],
  ['create-entity --oracle', 3, noProject],
  ['storage move file:other.db', 3, noProject],
  ['upgrade', 3, 'There is no project here: no oracle.config.json.'],
  ['update-oracle-api-url', 2, 'Outside of a project the new url is required.'],
  [
    'env check',
    3,
    './oracle.config.json is not valid JSON: see line 2.',
    { files: { 'oracle.config.json': '{\n"name" "x" }' } },
  ],
  ['env check', 3, './oracle.config.json is not valid JSON: it is empty.', { files: { 'oracle.config.json': '' } }],
  [
    'env check',
    3,
    "oracle.config.json has an unknown key 'nmae'.",
    { files: { 'oracle.config.json': '{ "nmae": "x" }' } },
  ],
  ['env check', 3, 'src/main.ts does not exist in ..', { files: project }],
  ['env init', 3, './.env is not UTF-8 text.', { files: { ...project, '.env': 'P\0O\0' } }],
  ['env init', 3, './.env is not a file.', { files: { ...project, '.env/x': '' } }],
  ['env explain PROT', 2, 'PROT means nothing to a bundled plugin.'],
  ['upgrade', 3, './package.json is not valid JSON.', { files: { ...project, 'package.json': '{ "name":' } }],
  ['plugin new pump', 2, 'src/plugins/pump.ts already exists.', { files: { ...project, 'src/plugins/pump.ts': '' } }],
  ['plugin check pmup', 2, 'src/plugins/pmup.ts does not exist.', { files: project }],
  ['chat --once x --url <closed>', 4, 'No oracle responds at <closed> (ECONNREFUSED).'],
  ['chat --once x --url http://me:secret@x', 2, '--url is not the address of an oracle.'],
  [
    'chat --once x --url <page>',
    4,
    'This is not an oracle: <page>/.well-known/oracle.json did not respond like an oracle: the response is not JSON.',
  ],
  ['chat --once x', 3, 'SIBYL_URL is not the address of an oracle.', { env: { SIBYL_URL: 'my oracle' } }],
  [
    'chat --once x --url <oracle>',
    1,
    'This oracle requires a delegation from one of its controllers (ucan_untrusted_root).',
  ],
  [
    'token grant <other> --url <oracle>',
    1,
    'You cannot grant access: you are not a controller of this oracle, and you have no delegation from one.',
  ],
  [
    'api GET sessions --url <oracle>',
    2,
    "Command-argument value 'sessions' is invalid for argument 'path'. Expected a path that starts with a slash, such as /sessions.",
  ],
  ['api GET /sesions --url <oracle>', 1, 'Not found: This route does not exist. (route_not_found)'],
  [
    'api-keys create shop --scope chta',
    2,
    "Option '--scope <ability>' argument 'chta' is invalid. Expected an ability such as chat/send, chat/* or *.",
  ],
  [
    'ussd --phone abc',
    2,
    "Option '--phone <number>' argument 'abc' is invalid. Expected a number such as +447700900002.",
  ],
  ['create-entity', 2, 'The --type of the entity is missing.'],
  [
    'create-entity --type A --property x',
    2,
    "Option '--property <name=value>' argument 'x' is invalid. Expected name=value.",
  ],
  ['create-entity --type A --registry-url <closed>', 4, 'No registry responds at <closed> (ECONNREFUSED).'],
  [
    'create-entity --type A --registry-url <page>',
    4,
    'The server at <page> is not a registry (no description of an oracle).',
  ],
  ['create-entity --type A --network testnet', 3, 'The testnet is a chain, and its RPC address is not set.'],
  ['create-entity --type A', 3, 'NETWORK has an unknown value.', { env: { NETWORK: 'moon' } }],
  ['create-entity --file stove.json', 2, 'stove.json cannot be read (ENOENT).'],
  ['update-entity stove --set a=1', 2, 'Pass the DID of the entity.'],
  ['keys show work', 3, 'The key work does not exist.'],
  ['keys new work', 2, 'There is no terminal for questions. Missing: --passphrase-file <file> (or SIBYL_PASSPHRASE).'],
  ['login --registry-url <closed>', 2, 'A QR code requires a terminal.'],
  [
    'completion csh',
    2,
    "Command-argument value 'csh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.",
  ],
])('sibyl %s exits with %i: %s', async (line, code, message, circumstances = {}) => {
  const [actual, first, remedy] = await call(line, circumstances)
  expect([actual, first]).toEqual([code, placed(message)])
  expect(remedy).toMatch(/\w{3}/)
})

test('an old Node is named, with the one that is needed and where to get it', () => {
  expect(oldNode('20.20.2')).toEqual({
    message: 'This is Node 20.20.2; sibyl needs 22.18 or later.',
    remedy: expect.stringContaining('Install Node 24 (https://nodejs.org, or nvm install 24)'),
  })
})
