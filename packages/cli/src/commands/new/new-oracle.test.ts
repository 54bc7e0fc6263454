import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMnemonic } from '@sibyl/identity'
import { startFakeOpenAi } from '@sibyl/testing'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { leave, type ScriptedAnswers } from '../../ask/asker.test.helper.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import type { CommandError } from '../../errors/command-error.ts'
import type { SourceFacts } from '../../scaffold/answers/project-facts.ts'
import { callNew, standInWorld, temporaryPlace } from './new.test.helper.ts'

let place: ReturnType<typeof temporaryPlace>
beforeEach(() => {
  place = temporaryPlace()
})

const failure = (work: Promise<unknown>): Promise<CommandError> =>
  work.then(
    () => expect.unreachable('It did not fail.'),
    error => error,
  )
const words = ({ message, remedy }: CommandError) => `${message} ${remedy}`.replaceAll(place.work, '…')
const inWork = () => readdirSync(place.work).sort()
const unfinished = () => readdirSync(join(place.home, 'unfinished'))
const unreachable = cliErrors.registry_unavailable('No registry answers.', 'Start it.')

const fourAnswers = {
  'Where?': './gateway',
  'How will you sign?': 'Key on',
  'Which model answers?': 'offline',
  'Create Gateway?': 'Create it',
}

const allAnswers = {
  ...fourAnswers,
  'Which model answers?': 'Another one',
  'Its name': 'gpt-5-mini',
  'Create Gateway?': 'Change',
  'Which network?': 'devnet',
  'What is the name of the oracle?': 'Gateway of Lusaka',
  'What is its purpose?': 'Tells farmers about rain.',
  'What does a conversation cost?': '0.10 IXO',
}

describe('the questions', () => {
  test('are four, with a key on this computer first', async () => {
    const { effects, calls } = standInWorld()
    const { asker, done } = callNew(place, effects, { answers: fourAnswers })
    await done
    expect(asker.said).toEqual([
      'Where?',
      'How will you sign?',
      'Which model answers?',
      'Create Gateway? (Answers questions. · free · registered on devnet)',
      'Connecting to the registry of devnet …',
      'Registering Gateway at the devnet …',
    ])
    expect(calls.facts.at(-1)?.answers).toMatchObject({
      network: 'devnet',
      profile: { name: 'Gateway', price: 'free' },
    })
  })

  test('follow the order of the flow, and create a project', async () => {
    const { effects, calls } = standInWorld()
    const { asker, terminal, done } = callNew(place, effects, { answers: allAnswers })
    await done
    expect(asker.said).toEqual([
      'Where?',
      'How will you sign?',
      'Which model answers?',
      'Its name, as the provider writes it',
      'Create Gateway? (Answers questions. · free · registered on devnet)',
      'Which network?',
      'What is the name of the oracle?',
      'What is its purpose?',
      'What does a conversation cost?',
      'Connecting to the registry of devnet …',
      'Registering Gateway of Lusaka at the devnet …',
    ])
    expect(calls.facts.at(-1)).toMatchObject({
      answers: {
        folder: join(place.work, 'gateway'),
        profile: {
          name: 'Gateway of Lusaka',
          description: 'Tells farmers about rain.',
          price: '0.10 IXO',
          model: 'gpt-5-mini',
        },
        port: 4000,
        apiUrl: 'http://localhost:4000',
      },
      entityDid: 'did:web:registry:entities:1',
      controllers: ['did:key:words', 'did:key:developer'],
    })
    expect(inWork()).toEqual(['gateway'])
    expect(statSync(join(place.work, 'gateway/.env')).mode & 0o777).toBe(0o600)
    expect(terminal.text).toContain('cd gateway && npm install && npm run dev\n')
    expect(terminal.text).not.toContain('listens on')
    expect(calls.closed).toEqual(['devnet'])
    expect(unfinished()).toEqual([])
  })

  test('are skipped if a flag answers them', async () => {
    const { effects, calls } = standInWorld()
    const { asker, done } = callNew(place, effects, {
      dir: 'x',
      auth: 'qr',
      network: 'devnet',
      name: 'X',
      price: 'free',
      port: 4000,
      answers: { 'What is its purpose?': 'A test.', 'Which model answers?': 'offline', 'Create X?': 'Change' },
    })
    await done
    expect(asker.said.slice(0, 3)).toEqual([
      'Which model answers?',
      'Create X? (Answers questions. · free · registered on devnet)',
      'What is its purpose?',
    ])
    expect(calls.facts.at(-1)).toMatchObject({ controllers: ['did:key:phone', 'did:key:developer'] })
  })

  test('are repeated if the folder is unusable', async () => {
    writeFileSync(join(place.work, 'x'), '')
    const { effects } = standInWorld()
    const answers = { ...fourAnswers, 'Where?': ['x', './y'], 'Which model answers?': leave }
    const { asker, done } = callNew(place, effects, { answers })
    expect(await failure(done)).toMatchObject({ code: 'interrupted', exitCode: 130 })
    expect(asker.said.join('\n')).toContain(`${place.work}/x is a file.\nDelete it, or name another folder.\nWhere?`)
    expect(inWork()).toEqual(['x'])
  })

  test('are not lost with the registry: they are printed as a command', async () => {
    const { effects } = standInWorld({ openNode: async () => Promise.reject(unreachable) })
    const { terminal, done } = callNew(place, effects, { answers: allAnswers })
    await failure(done)
    expect(terminal.text).toBe(
      "\nsibyl new gateway --auth mnemonic --network devnet --name 'Gateway of Lusaka' " +
        "--description 'Tells farmers about rain.' --price '0.10 IXO' --model gpt-5-mini\n\n",
    )
  })

  test('accept an existing mnemonic, which is never shown', async () => {
    const own = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
    const { effects, calls } = standInWorld()
    const { terminal, done } = callNew(place, effects, {
      answers: { ...allAnswers, 'How will you sign?': 'Your existing mnemonic', 'The words': own },
    })
    await done
    expect(calls.facts.at(-1)?.mnemonic).toBe(own)
    for (const word of own.split(' ')) expect(terminal.text + terminal.errors).not.toContain(word)
    expect(terminal.text).toContain('keys       1 made')
  })

  test('offer models of the environment and of this computer first, and refuse one that none of them lists', async () => {
    const [openai, local] = await Promise.all(
      [
        ['gpt-5-mini', 'gpt-5.2'],
        ['embedder', 'llama3.2'],
      ].map(models => startFakeOpenAi({ replies: [], models })),
    )
    if (!openai || !local) return expect.unreachable()
    onTestFinished(async () => void (await Promise.all([openai.close(), local.close()])))
    const env = { OPENAI_API_KEY: 'canary', OPENAI_BASE_URL: openai.url, OLLAMA_HOST: new URL(local.url).host }
    const call = async (answers: ScriptedAnswers, dir: string, options = {}) => {
      const { effects, calls } = standInWorld()
      const { done, terminal } = callNew(place, effects, {
        dir,
        answers: { ...fourAnswers, Create: 'Create it', ...answers },
        env,
        ...options,
      })
      await done
      expect(terminal.text).not.toContain('canary')
      return calls.facts.at(-1)?.answers
    }
    expect(await call({ 'Which model answers?': 'gpt-5-mini at' }, 'a')).toMatchObject({
      profile: { model: 'gpt-5-mini' },
    })
    const ofLocal = await call({ 'Which model answers?': 'llama3.2 at' }, 'b')
    expect(ofLocal).toMatchObject({ profile: { model: 'llama3.2' }, modelUrl: local.url })
    const typed = {
      'Which model answers?': 'Another one',
      'Its name': 'gpt5-mini',
      'does not list the model': 'gpt-5-mini',
    }
    expect(await call(typed, 'c')).toMatchObject({ profile: { model: 'gpt-5-mini' } })
    const refused = await failure(call({}, 'd', { model: 'gpt5-mini' }))
    expect(words(refused)).toBe(
      `--model: ${new URL(openai.url).host} does not list the model gpt5-mini. Did you mean gpt-5-mini?`,
    )
  })

  test('let a phone sign on a chain as well', async () => {
    const { effects, calls } = standInWorld()
    const answers = {
      ...allAnswers,
      'How will you sign?': 'QR',
      'Which network?': 'testnet',
      'RPC address': 'https://rpc.example.org/',
    }
    const { terminal, done } = callNew(place, effects, { answers })
    await done
    expect(terminal.text).toContain('your phone; the account of its mnemonic pays')
    expect(calls.facts.at(-1)?.answers).toMatchObject({
      signing: 'qr',
      network: 'testnet',
      rpcUrl: 'https://rpc.example.org',
    })
  })
})

describe('without a question', () => {
  test.each([
    [{}, { apiUrl: 'http://localhost:4000', port: 4000 }],
    [{ port: 8080 }, { apiUrl: 'http://localhost:8080', port: 8080 }],
    [{ apiUrl: 'http://127.0.0.1:5000/oracle' }, { apiUrl: 'http://127.0.0.1:5000/oracle', port: 5000 }],
    [{ apiUrl: 'https://oracle.example.org' }, { apiUrl: 'https://oracle.example.org', port: 4000 }],
    [
      { apiUrl: 'https://oracle.example.org', port: 80 },
      { apiUrl: 'https://oracle.example.org', port: 80 },
    ],
  ])('listens with %j where it is registered', async (given, address) => {
    const { effects, calls } = standInWorld()
    const { terminal, done } = callNew(place, effects, { dir: 'x', yes: true, ...given })
    await done
    expect(calls.facts.at(-1)?.answers).toMatchObject(address)
    expect(terminal.text).not.toContain('listens on')
  })

  test('two given ports conflict, with both remedies', async () => {
    const { effects, calls } = standInWorld()
    const given = { apiUrl: 'http://localhost:4000', port: 3000 }
    const { terminal, done } = callNew(place, effects, { dir: 'x', yes: true, ...given })
    await done
    expect(calls.facts.at(-1)?.answers).toMatchObject(given)
    expect(terminal.text).toContain(
      '  The registry lists your oracle at http://localhost:4000, but it listens on 3000.\n' +
        '  Now: PORT=4000 in .env\n  Or later, while it runs: npx sibyl update-oracle-api-url --port 3000\n',
    )
  })

  test('--yes uses the defaults', async () => {
    const { effects, calls } = standInWorld()
    await callNew(place, effects, { dir: 'field-oracle', yes: true }).done
    expect(calls.facts.at(-1)?.answers).toMatchObject({
      template: 'minimal',
      signing: 'mnemonic',
      network: 'devnet',
      profile: { name: 'Field Oracle', description: 'Answers questions.', price: 'free', model: 'offline' },
      port: 4000,
    })
  })

  test.each([
    ['gpt-5.2', true],
    ['offline', false],
  ])('the model %s: prints its requirements', async (model, isPrinted) => {
    const { terminal, done } = callNew(place, standInWorld().effects, { dir: 'x', yes: true, model })
    await done
    expect(terminal.text.includes(`  For ${model} set OPENAI_API_KEY in .env;`)).toBe(isPrinted)
  })

  test('missing answers are one error with a command to paste', async () => {
    const { done } = callNew(place, standInWorld().effects, { dir: "Größe's", price: '0.10 IXO', install: true })
    const error = await failure(done)
    expect(error).toMatchObject({ code: 'usage_invalid', exitCode: 2 })
    expect(words(error)).toBe(
      'There is no terminal for questions. Missing: --auth, --network, --name, --description, --model. ' +
        "For example:\n  sibyl new 'Größe'\\''s' --auth mnemonic --network devnet --name 'Field Oracle' " +
        "--description 'Answers questions from the field.' --price '0.10 IXO' --model offline --install\n" +
        "Or use the defaults:\n  sibyl new 'Größe'\\''s' --yes",
    )
  })

  test.each([
    [{ yes: true }, '[dir]'],
    [{}, '[dir], --auth, --network, --name, --description, --price, --model'],
    [{ dir: 'x', yes: true, network: 'testnet' as const }, '--rpc-url'],
    [{ dir: 'x', register: false }, '--name, --description, --price, --model'],
  ])('%j lacks %s', async (options, missing) => {
    const error = await failure(callNew(place, standInWorld().effects, options).done)
    expect(error.message).toBe(`There is no terminal for questions. Missing: ${missing}.`)
    expect(inWork()).toEqual([])
  })

  test('derives the folder from the name', async () => {
    const { done } = callNew(place, standInWorld().effects, { name: 'Größte Ernte!', yes: true })
    await done
    expect(inWork()).toEqual(['größte-ernte'])
  })

  test.each([
    [{ dir: ' ' }, 'The folder is missing.'],
    [{ dir: 'x', name: ' ' }, '--name: The name is missing.'],
    [{ dir: 'x', name: '\u200b\u2060' }, '--name: The name is missing.'],
    [{ dir: 'x', name: 'a\u001b[31mb' }, '--name: The name must be one line, without control characters.'],
    [
      { dir: 'x', description: 'x'.repeat(301) },
      '--description: The description may have at most 300 characters, and this has 301.',
    ],
    [{ dir: 'x', model: 'a b' }, '--model: The name of the model has no spaces.'],
    [
      { dir: 'x', apiUrl: 'http://user:secret@x' },
      '--api-url: Expected an address such as http://localhost:4000, without a password.',
    ],
    [{ dir: 'x', merge: true, force: true }, '--merge and --force exclude each other.'],
  ])('rejects %j', async (options, message) => {
    const error = await failure(callNew(place, standInWorld().effects, { yes: true, ...options }).done)
    expect(error).toMatchObject({ exitCode: 2, message })
  })

  test('names an invalid variable, without its value', async () => {
    const env = { MATRIX_BASE_URL: 'https://user:secret@matrix.example.org' }
    const error = await failure(callNew(place, standInWorld().effects, { dir: 'x', yes: true, env }).done)
    expect(error).toMatchObject({ exitCode: 3, message: 'MATRIX_BASE_URL is not a valid address.' })
  })

  test('reads a mnemonic from a file or a variable, and reports an invalid one without its content', async () => {
    const own = createMnemonic(24).reveal()
    const file = join(place.work, 'words')
    writeFileSync(file, `${own}\n`)
    const first = standInWorld()
    await callNew(place, first.effects, { dir: 'x', yes: true, mnemonicFile: 'words' }).done
    expect(first.calls.facts.at(-1)?.mnemonic).toBe(own)
    const second = standInWorld()
    await callNew(place, second.effects, { dir: 'y', yes: true, env: { SIBYL_MNEMONIC: own } }).done
    expect(second.calls.facts.at(-1)?.mnemonic).toBe(own)
    writeFileSync(file, own.split(' ').toReversed().join(' ').replace(/^\w+/, 'wrongword'))
    const error = await failure(
      callNew(place, standInWorld().effects, { dir: 'z', yes: true, mnemonicFile: 'words' }).done,
    )
    expect(error.message).toBe(
      'The file of --mnemonic-file does not contain a mnemonic. Word 1 of 24 is not in the English BIP-39 list: check how it is written.',
    )
  })

  test('--json prints one object', async () => {
    const { terminal, done } = callNew(place, standInWorld().effects, { dir: 'x', yes: true, json: true })
    await done
    expect(JSON.parse(terminal.text)).toMatchObject({
      folder: join(place.work, 'x'),
      entityDid: 'did:web:registry:entities:1',
      files: ['.env', 'oracle.config.json', 'src/main.ts'],
      keysMade: ['ORACLE_MNEMONIC', 'PIN_ENCRYPTION_KEY'],
      next: ['cd x && npm install && npm run dev', 'npx sibyl chat'],
    })
  })

  test.each([
    ['-x', './-x', 'cd ./-x && '],
    ['~/oracles/x', '../home of me/oracles/x', "/home of me/oracles/x' && "],
    ['~', '../home of me', "/home of me' && "],
    ['~x', './~x', "cd '~x' && "],
  ])('a folder named %s works in a shell', async (dir, found, shown) => {
    const env = { HOME: join(place.work, '../home of me') }
    const { terminal, done } = callNew(place, standInWorld().effects, { dir, yes: true, env })
    await done
    expect(existsSync(join(place.work, found, 'src/main.ts'))).toBe(true)
    expect(terminal.text).toContain(shown)
  })

  test('--dry-run shows the plan, and does nothing', async () => {
    const { effects, calls } = standInWorld()
    const { terminal, done } = callNew(place, effects, { dir: 'a/x', yes: true, dryRun: true })
    await done
    expect(terminal.text).toContain('Registered at the devnet on this computer (http://localhost:4100):')
    expect(terminal.text).toContain('"controller": "did:key:(created when the command runs)"')
    expect(terminal.text).toContain('3 files in ')
    expect([inWork(), existsSync(place.home), calls.registered]).toEqual([[], false, []])
  })
})

describe('a run that stops', () => {
  test.each([
    ['no registry', { openNode: async () => Promise.reject(unreachable) }],
    ['nobody signs', { controllerFor: async () => Promise.reject(unreachable) }],
    ['the registry refuses', { registerOracle: async () => Promise.reject(cliErrors.registry_refused('No.', '')) }],
    ['no packages', { findPackages: async () => Promise.reject(unreachable) }],
  ])('before anything is registered leaves nothing: %s', async (_, replaced) => {
    const { effects } = standInWorld(replaced)
    const error = await failure(callNew(place, effects, { dir: 'a/x', yes: true }).done)
    expect(error.code).not.toBe('scaffold_unfinished')
    expect([inWork(), unfinished()]).toEqual([[], []])
  })

  test('is continued under the same key if its outcome is unknown', async () => {
    const first = standInWorld()
    const { registerOracle } = first.effects
    const lost = {
      ...first.effects,
      registerOracle: async (need: Parameters<typeof registerOracle>[0]) => {
        await registerOracle(need)
        throw unreachable
      },
    }
    const error = await failure(callNew(place, lost, { dir: 'x', yes: true, name: 'Mine' }).done)
    expect(error).toMatchObject({ code: 'scaffold_unfinished', exitCode: 4 })
    expect(words(error)).toBe(
      "No registry answers. Start it. No file was written; to continue from here: sibyl new '…/x'",
    )
    expect(inWork()).toEqual([])
    const [record = ''] = unfinished()
    const recordPath = join(place.home, 'unfinished', record)
    expect(statSync(recordPath).mode & 0o777).toBe(0o600)
    const { mnemonic } = JSON.parse(readFileSync(recordPath, 'utf8'))
    const second = standInWorld()
    const { asker, done } = callNew(place, second.effects, { dir: 'x' })
    await done
    expect(asker.said[0]).toMatch(/^Continuing the run of 20/)
    expect(second.calls.keys).toEqual(first.calls.keys)
    expect(second.calls.facts.at(-1)).toMatchObject({ answers: { profile: { name: 'Mine' } } })
    expect(second.calls.facts.at(-1)?.mnemonic).toBe(mnemonic)
    expect([inWork(), unfinished()]).toEqual([['x'], []])
  })

  test('shows how to continue without a bot if the homeserver fails', async () => {
    const silent = cliErrors.homeserver_unavailable('The homeserver does not answer.', 'Try again.')
    const { effects } = standInWorld({ provisionBot: async () => Promise.reject(silent) })
    const env = { npm_config_user_agent: 'npm/11.0.0', npm_lifecycle_script: 'create-sibyl' }
    const { done } = callNew(place, effects, { env, dir: 'x', yes: true, matrixUrl: 'https://matrix.example.org' })
    expect(words(await failure(done))).toContain("Or without a bot: npm create sibyl -- '…/x' --matrix-url none")
    await callNew(place, standInWorld().effects, { dir: 'x', matrixUrl: 'none' }).done
    expect([inWork(), unfinished()]).toEqual([['x'], []])
  })

  test('does not register again after the registration, and keeps the bot’s user', async () => {
    const first = standInWorld({
      async provisionBot({ onRegistered }) {
        await onRegistered({ userId: '@made:example.org', password: 'secret' })
        throw unreachable
      },
    })
    const matrixUrl = 'https://matrix.example.org'
    const error = await failure(callNew(place, first.effects, { dir: 'x', yes: true, matrixUrl }).done)
    expect(error.message).toBe('No registry answers. The oracle is already registered, as did:web:registry:entities:1.')
    const second = standInWorld()
    const { terminal, done } = callNew(place, second.effects, { dir: 'x' })
    await done
    expect([second.calls.registered, second.calls.bots]).toEqual([[], ['@made:example.org']])
    expect(terminal.text).toContain('did:web:registry:entities:1')
    expect(terminal.text).toContain('bot        @bot:example.org')
    expect(terminal.text + terminal.errors).not.toMatch(/secret|bot password|bot token/)
  })

  test('is not continued with other answers, and can be dropped', async () => {
    const first = standInWorld({ provisionBot: async () => Promise.reject(unreachable) })
    const matrixUrl = 'https://matrix.example.org'
    await failure(callNew(place, first.effects, { dir: 'x', yes: true, matrixUrl }).done)
    const changed = await failure(callNew(place, first.effects, { dir: 'x', yes: true, name: 'Y', model: 'z' }).done)
    expect(words(changed)).toMatch(
      /^A run for this folder stopped on 20.+ and has registered the oracle with another --name, --model\. Omit that option to continue the run, or discard it and start over: --fresh$/,
    )
    const second = standInWorld()
    await callNew(place, second.effects, { dir: 'x', yes: true, name: 'Y', fresh: true }).done
    expect(second.calls.registered).toEqual(['Y'])
    expect(second.calls.keys).not.toEqual(first.calls.keys)
  })

  test('can be continued without the bot at which it stopped', async () => {
    const first = standInWorld({ provisionBot: async () => Promise.reject(unreachable) })
    const matrixUrl = 'https://matrix.example.org'
    await failure(callNew(place, first.effects, { dir: 'x', yes: true, matrixUrl }).done)
    const second = standInWorld()
    await callNew(place, second.effects, { dir: 'x', matrixUrl: 'none' }).done
    expect([second.calls.bots, second.calls.registered, inWork()]).toEqual([[], [], ['x']])
  })

  test('when the project is written leaves nothing, and can be continued', async () => {
    const first = standInWorld()
    const broken = { ...first.effects, renderSettings: () => [{ path: 'src/main.ts/x', content: '' }] }
    const error = await failure(callNew(place, broken, { dir: 'x', yes: true }).done)
    expect(words(error)).toContain('The oracle is already registered')
    expect(inWork()).toEqual([])
    const second = standInWorld()
    await callNew(place, second.effects, { dir: 'x' }).done
    expect([second.calls.registered, inWork()]).toEqual([[], ['x']])
    expect(readFileSync(join(place.work, 'x/oracle.config.json'), 'utf8')).toContain('did:web:registry:entities:1')
  })

  test('stops before it registers if the disk cannot store the project', async () => {
    const { effects, calls } = standInWorld({
      renderSources: async () => [{ path: 'x'.repeat(300), content: '' }],
    })
    const error = await failure(callNew(place, effects, { dir: 'x', yes: true }).done)
    expect(error.code).toBe('folder_not_usable')
    expect([calls.registered, inWork(), unfinished()]).toEqual([[], [], []])
  })

  test('leaves nothing after an interruption', async () => {
    const begun = Promise.withResolvers<void>()
    const { effects, calls } = standInWorld({
      provisionBot({ signal }) {
        begun.resolve()
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    })
    const { terminal, done } = callNew(place, effects, { dir: 'x', yes: true, matrixUrl: 'https://matrix.example.org' })
    await begun.promise
    terminal.interrupt()
    const error = await failure(done)
    expect(error).toMatchObject({ exitCode: 130 })
    expect(words(error)).toContain('The oracle is already registered, as did:web:registry:entities:1.')
    expect([inWork(), calls.closed]).toEqual([[], ['devnet']])
  })

  test('has nothing left to do after the project was placed', async () => {
    const first = standInWorld({ provisionBot: async () => Promise.reject(unreachable) })
    await failure(callNew(place, first.effects, { dir: 'x', yes: true, matrixUrl: 'https://matrix.example.org' }).done)
    mkdirSync(join(place.work, 'x'))
    writeFileSync(join(place.work, 'x/oracle.config.json'), '{"entityDid":"did:web:registry:entities:1"}')
    const error = await failure(callNew(place, standInWorld().effects, { dir: 'x' }).done)
    expect(error.message).toContain('is not empty')
    expect(unfinished()).toEqual([])
  })
})

test('concurrently with another one for the same folder: the second is rejected', async () => {
  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<string>()
  const first = standInWorld({
    registerOracle() {
      begun.resolve()
      return go.promise
    },
  })
  const running = callNew(place, first.effects, { dir: 'x', yes: true })
  await begun.promise
  const error = await failure(callNew(place, standInWorld().effects, { dir: 'x', yes: true }).done)
  expect(words(error)).toContain(`Another sibyl new (process ${process.pid}) is creating the project in …/x.`)
  await callNew(place, standInWorld().effects, { dir: 'y', yes: true }).done
  go.resolve('did:web:registry:entities:2')
  await running.done
  expect(inWork()).toEqual(['x', 'y'])
})

describe('a folder with files', () => {
  beforeEach(() => {
    mkdirSync(join(place.work, 'x'))
    writeFileSync(join(place.work, 'x/README.md'), 'mine')
  })

  test('is rejected before any question or registration', async () => {
    const { effects, calls } = standInWorld()
    const error = await failure(callNew(place, effects, { dir: 'x', yes: true }).done)
    expect(error).toMatchObject({ code: 'folder_not_usable', exitCode: 3 })
    expect(calls.registered).toEqual([])
  })

  test('is merged with, and kept files are listed; nothing is registered in a project', async () => {
    const first = standInWorld()
    await callNew(place, first.effects, { dir: 'x', yes: true, merge: true }).done
    expect(first.calls.registered).toEqual(['X'])
    writeFileSync(join(place.work, 'x/.env'), 'MINE=1\n')
    const second = standInWorld()
    const { terminal, done } = callNew(place, second.effects, { dir: 'x', yes: true, merge: true })
    await done
    expect(second.calls.registered).toEqual([])
    expect(readFileSync(join(place.work, 'x/.env'), 'utf8')).toBe('MINE=1\n')
    expect(terminal.text).toContain('left     unchanged: .env, oracle.config.json, src/main.ts')
    expect(terminal.text).toContain('It was not registered, because a project already existed.')
  })

  test('is merged with, and what its own files lack is listed', async () => {
    for (const name of ['.gitignore', 'package.json']) writeFileSync(join(place.work, 'x', name), '[]')
    const { effects } = standInWorld()
    const renderSources = async (facts: SourceFacts) => [
      ...(await effects.renderSources(facts)),
      { path: '.gitignore', content: '.env' },
      { path: 'package.json', content: '{}' },
    ]
    const { terminal, done } = callNew(place, { ...effects, renderSources }, { dir: 'x', yes: true, merge: true })
    await done
    expect(terminal.text).toContain('check that your existing .gitignore lists it.')
    expect(terminal.text).toContain('package.json already existed: add the scripts')
  })

  test('gets the scripts and dependencies that its package.json lacks', async () => {
    const own = { name: 'shop', scripts: { test: 'jest' }, dependencies: { zod: '3.0.0' } }
    writeFileSync(join(place.work, 'x/package.json'), JSON.stringify(own))
    const { effects } = standInWorld()
    const made = {
      name: 'x',
      type: 'module',
      scripts: { dev: 'sibyl dev', test: 'vitest run' },
      dependencies: { '@sibyl/core': '0.1.0', zod: '4.0.0' },
    }
    const renderSources = async (facts: SourceFacts) => [
      ...(await effects.renderSources(facts)),
      { path: 'package.json', content: JSON.stringify(made) },
    ]
    const { terminal, done } = callNew(place, { ...effects, renderSources }, { dir: 'x', yes: true, merge: true })
    await done
    expect(JSON.parse(readFileSync(join(place.work, 'x/package.json'), 'utf8'))).toEqual({
      name: 'shop',
      type: 'module',
      scripts: { test: 'jest', dev: 'sibyl dev' },
      dependencies: { zod: '3.0.0', '@sibyl/core': '0.1.0' },
    })
    expect(terminal.text.replaceAll(/\s+/g, ' ')).toContain('Of yours stay: scripts.test, dependencies.zod.')
  })

  test('below an npm workspace is installed on its own', async () => {
    writeFileSync(join(place.work, 'package.json'), '{"workspaces":["packages/*"]}')
    const { effects } = standInWorld()
    const npm = callNew(place, effects, { dir: 'packages/a', yes: true, json: true })
    await npm.done
    expect(JSON.parse(npm.terminal.text).next[0]).toBe('cd packages/a && npm install --no-workspaces && npm run dev')
    const pnpm = callNew(place, effects, { dir: 'packages/b', yes: true, json: true, packageManager: 'pnpm' })
    await pnpm.done
    expect(JSON.parse(pnpm.terminal.text).next[0]).toBe('cd packages/b && pnpm install && pnpm dev')
  })

  test('is moved aside', async () => {
    const { terminal, done } = callNew(place, standInWorld().effects, { dir: 'x', yes: true, force: true })
    await done
    const [, aside = ''] = inWork()
    expect(aside).toMatch(/^x\.old-\d{8}-\d{6}$/)
    expect(readFileSync(join(place.work, aside, 'README.md'), 'utf8')).toBe('mine')
    expect(terminal.text).toContain(`before     moved to ./${aside}\n`)
  })
})
