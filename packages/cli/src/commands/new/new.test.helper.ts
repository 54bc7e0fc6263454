import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSigningKey } from '@sibyl/identity'
import { onTestFinished } from 'vitest'
import { type ScriptedAnswers, ScriptedAsker } from '../../ask/asker.test.helper.ts'
import { listenForInterruption } from '../../ask/until-interrupted.ts'
import type { SettingsFacts } from '../../scaffold/answers/project-facts.ts'
import { emptyPackages } from '../../scaffold/packages/fake-packages.test.helper.ts'
import type { ScaffoldEffects } from '../../scaffold/scaffold-effects.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { newOracle } from './new.ts'
import type { NewOptions } from './new-command.ts'

/** A folder with a home and a place for projects in it, gone after the test. */
export const temporaryPlace = () => {
  const root = mkdtempSync(join(tmpdir(), 'sibyl new ü-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const place = { home: join(root, 'home'), work: join(root, 'work'), packages: join(root, 'packages') }
  mkdirSync(place.work)
  // No model server of this computer is offered.
  const OLLAMA_HOST = '127.0.0.1:1'
  return { ...place, env: { SIBYL_HOME: place.home, SIBYL_PACKAGES: place.packages, OLLAMA_HOST } }
}

/** What a stand-in for the world was asked for. */
export interface Calls {
  readonly keys: string[]
  readonly registered: string[]
  readonly bots: string[]
  readonly facts: SettingsFacts[]
  readonly closed: string[]
}

/** A world that registers nothing, with parts of it replaced. */
export const standInWorld = (replaced: Partial<ScaffoldEffects> = {}) => {
  const calls: Calls = { keys: [], registered: [], bots: [], facts: [], closed: [] }
  const phone = createSigningKey()
  const effects: ScaffoldEffects = {
    findPackages: async () => emptyPackages(),
    developerDid: async () => 'did:key:developer',
    openNode: async ({ network, registryUrl, rpcUrl }) => ({
      network,
      title: `the ${network}`,
      url: registryUrl ?? rpcUrl ?? 'http://localhost:4100',
      did: network === 'devnet' ? 'did:key:registry' : undefined,
      access: 'open',
      startedHere: false,
      fetch: globalThis.fetch,
      close: async () => void calls.closed.push(network),
    }),
    controllerFor: async ({ answers }) => ({
      did: answers.signing === 'qr' ? 'did:key:phone' : 'did:key:words',
      signer: phone,
      proofs: [],
    }),
    openRegistry: async (node, controller) => ({
      node,
      controller,
      registry: undefined as never,
      preview: async () => null,
      forget: async () => {},
      close: async () => {},
    }),
    findOracle: async () => undefined,
    async registerOracle({ answers, idempotencyKey }) {
      calls.keys.push(idempotencyKey)
      calls.registered.push(answers.profile.name)
      return 'did:web:registry:entities:1'
    },
    async provisionBot({ baseUrl, account, onRegistered }) {
      calls.bots.push(account?.userId ?? baseUrl)
      await onRegistered({ userId: '@bot:example.org', password: 'bot password' })
      return {
        baseUrl,
        userId: '@bot:example.org',
        password: 'bot password',
        accessToken: 'bot token',
        accountRoomId: '!room:example.org',
      }
    },
    renderSources: async () => [{ path: 'src/main.ts', content: 'main' }],
    renderSettings(facts) {
      calls.facts.push(facts)
      const { entityDid } = facts
      return [
        { path: 'oracle.config.json', content: JSON.stringify({ entityDid }) },
        { path: '.env', content: `ORACLE_MNEMONIC="${facts.mnemonic}"\nPIN_ENCRYPTION_KEY=1\n`, mode: 0o600 },
      ]
    },
    ...replaced,
  }
  return { calls, effects }
}

/** One call of `sibyl new` in a place, with a script for its questions and a stand-in for the world. */
export const callNew = (
  place: ReturnType<typeof temporaryPlace>,
  effects: ScaffoldEffects,
  {
    answers,
    env = {},
    ...options
  }: Partial<NewOptions> & {
    readonly answers?: ScriptedAnswers
    readonly dir?: string
    readonly env?: Record<string, string>
  },
) => {
  const terminal = new FakeTerminal({ ...place.env, ...env }, answers !== undefined, 80, place.work)
  const asker = new ScriptedAsker(answers)
  const { signal, release } = listenForInterruption(terminal.io)
  const { dir, ...rest } = options
  const done = newOracle(
    dir,
    { register: true, git: true, ...rest },
    {
      io: terminal.io,
      asker,
      asks: answers !== undefined,
      effects,
      signal,
    },
  ).finally(release)
  return { terminal, asker, done }
}
