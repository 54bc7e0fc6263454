import { createHash, type KeyObject } from 'node:crypto'
import { type Actor, type Capability, cleanText, type Host, isOracleError, type Manifest } from '@sibyl/plugin'
import type { GuardedFetch } from '@sibyl/plugin/outbound'
import { z } from 'zod'
import { oracleExtension } from '../card/agent-card.ts'
import { agentErrors } from '../errors/agent-errors.ts'
import { createAgentClient } from './agent-client.ts'
import type { AgentEntry } from './agent-list.ts'
import { askTool } from './ask-tool.ts'
import { type RemoteCard, remoteCard } from './remote-card.ts'
import { keyOfDid } from './signing-keys.ts'
import { trustedKey } from './verify-card.ts'

/** Time for which a card is used without being read again, and after which a failed one is read again, in milliseconds. */
const cardKeptMs = 600_000
const retryAfterMs = 10_000

/** Most bytes of a card, and the time limit for it in milliseconds. */
const maxCardBytes = 300_000
const cardLimitMs = 10_000

/** Abilities that a user delegates for calls of another oracle. */
const abilities = ['chat/send', 'session/read']

export interface AgentParts extends Pick<Host, 'identity' | 'grants' | 'clock'> {
  readonly fetch: GuardedFetch
}

/** Another agent, with its capability. */
export interface RemoteAgent {
  readonly capability: Capability
  /** Reads the card. Never rejects. */
  start(signal: AbortSignal): Promise<void>
}

/** A card that the operator trusts. */
interface TrustedCard {
  readonly card: RemoteCard
  /** The key that signed it; undefined where it needs no signature. */
  readonly key: KeyObject | undefined
}

type Reading = { readonly at: number } & (TrustedCard | { readonly error: Error })

const oracleParams = z.object({ did: z.string().regex(/^did:key:z\w{1,200}$/) })

/** Creates another agent without calling it. */
export const createRemoteAgent = (entry: AgentEntry, { identity, grants, clock, fetch }: AgentParts): RemoteAgent => {
  const { name: agent, card: address, trust } = entry
  let known: Reading | undefined
  let reading: Promise<Reading> | undefined

  const isOwn = (url: URL) => url.origin === address.origin

  const readDocument = async (url: URL, signal?: AbortSignal): Promise<unknown> => {
    const { status, body, isComplete } = await fetch(url, {
      headers: { accept: 'application/json', 'a2a-version': '1.0', 'user-agent': 'Sibyl-A2A' },
      timeLimitMs: cardLimitMs,
      maxBytes: maxCardBytes,
      maxRedirects: 0,
      allowPrivate: isOwn(url),
      ...(signal ? { signal } : {}),
    })
    if (status !== 200) throw agentErrors.a2a_card_unavailable({ agent, problem: `${url.host} answered ${status}.` })
    if (!isComplete) throw agentErrors.a2a_card_unavailable({ agent, problem: 'it is too large.' })
    return JSON.parse(new TextDecoder().decode(body)) as unknown
  }

  const readCard = async (signal?: AbortSignal): Promise<TrustedCard> => {
    const raw = z.record(z.string(), z.unknown()).parse(await readDocument(address, signal))
    const card = remoteCard.parse(raw)
    if (trust === 'unsigned') return { card, key: undefined }
    if (!card.signatures?.length) throw agentErrors.a2a_card_unsigned({ agent })
    const key = await trustedKey(raw, card, entry, url => readDocument(url, signal))
    if (key) return { card, key }
    const problem =
      trust === 'host' ? `none is by a key that ${address.host} publishes.` : `none is by a key of ${trust.did}.`
    throw agentErrors.a2a_card_forged({ agent, problem })
  }

  const check = (signal?: AbortSignal): Promise<Reading> => {
    reading ??= readCard(signal)
      .catch(error => ({ error: failureOf(agent, error) }))
      .then(read => {
        known = { ...read, at: clock.now() }
        return known
      })
      .finally(() => {
        reading = undefined
      })
    return reading
  }

  /** Throws the reason why there is no card. */
  const current = async (): Promise<TrustedCard> => {
    const age = known ? clock.now() - known.at : Number.POSITIVE_INFINITY
    const isFresh = known && age < ('card' in known ? cardKeptMs : retryAfterMs)
    const last = known && 'card' in known ? known : undefined
    const read = isFresh ? known! : await check()
    if ('card' in read) return read
    if (last && isUnavailable(read.error)) return last
    throw read.error
  }

  /** Only the oracle that holds a DID's key can sign a card with it, so that no other agent gets an invocation for that oracle. */
  const authorize = async ({ card, key }: TrustedCard, actor: Actor): Promise<string | undefined> => {
    const extension = card.capabilities?.extensions?.find(({ uri }) => uri === oracleExtension)
    const { data } = oracleParams.safeParse(extension?.params)
    if (!data || !key || !keyOfDid(data.did)?.equals(key)) return undefined
    const resource = `oracle:${data.did}`
    const verdict = await grants.check(actor)
    if (!verdict.holds) throw agentErrors.a2a_agent_failed({ agent, problem: verdict.refusal.detail })
    try {
      return `Bearer ${await identity.mintInvocation({ audience: data.did, resource, abilities, onBehalfOf: actor })}`
    } catch (error) {
      if (!isOracleError(error) || error.code !== 'delegation_missing') throw error
      throw agentErrors.a2a_not_delegated({ agent, abilities: [...abilities, 'auth/impersonate'], resource })
    }
  }

  const clientFor = async (actor: Actor) => {
    const trusted = await current()
    const { url, protocolBinding, tenant } = interfaceOf(entry, trusted.card)
    const binding = protocolBinding.toUpperCase() === 'JSONRPC' ? 'JSONRPC' : 'HTTP+JSON'
    const allowPrivate = isOwn(url)
    return createAgentClient(
      { agent, url, binding, tenant, allowPrivate, authorization: () => authorize(trusted, actor) },
      fetch,
    )
  }

  const approvalScope = createHash('sha256')
    .update(JSON.stringify([address.href, trust]))
    .digest('hex')
  const tools = { ask: askTool({ agent, host: address.host, approvalScope, clientFor }) }

  return {
    capability: {
      name: agent,
      get manifest() {
        return manifestOf(entry, known && 'card' in known ? known.card : undefined)
      },
      tools: () => tools,
      knownTools: () => tools,
      state: () => (known === undefined ? 'pending' : 'card' in known ? 'ready' : 'degraded'),
      reason: () => (known && 'error' in known ? known.error.message : undefined),
    },
    async start(signal) {
      await check(signal)
    },
  }
}

/** Returns the interface of a card that is called: the first one of A2A 1.0 over HTTP, never less safe than the card. */
const interfaceOf = ({ name: agent, card }: AgentEntry, { supportedInterfaces }: RemoteCard) => {
  const first = supportedInterfaces.find(
    ({ protocolBinding, protocolVersion = '1.0', url }) =>
      /^(?:JSONRPC|HTTP\+JSON)$/i.test(protocolBinding) &&
      /^1(?:\.|$)/.test(protocolVersion) &&
      URL.canParse(url) &&
      (card.protocol === 'http:' || new URL(url).protocol === 'https:'),
  )
  if (!first) {
    throw agentErrors.a2a_agent_failed({ agent, problem: 'its card has no interface of A2A 1.0 over HTTP.' })
  }
  return { ...first, url: new URL(first.url) }
}

/** Returns whether a card could only not be read, so that the last one still counts. */
const isUnavailable = (error: Error): boolean => isOracleError(error) && error.code === 'a2a_card_unavailable'

const failureOf = (agent: string, error: unknown): Error => {
  if (isOracleError(error)) {
    return /^a2a_/.test(error.code) ? error : agentErrors.a2a_card_unavailable({ agent, problem: error.message })
  }
  return agentErrors.a2a_card_unavailable({ agent, problem: 'it is not a card of A2A 1.0.' })
}

/** Most skills that a manifest names. */
const maxShown = 10

const manifestOf = ({ name, card: { host } }: AgentEntry, card: RemoteCard | undefined): Manifest => {
  if (!card) return { title: name, summary: `The agent at ${host}.`, whenToUse: [`the user needs the agent ${name}`] }
  const skills = (card.skills ?? [])
    .slice(0, maxShown)
    .map(skill => cleanText(`the agent says: ${skill.name}: ${skill.description ?? ''}`, { maxLength: 300 }))
  return {
    // The name is the agent's own: its address shows who it is.
    title: cleanText(`${host}: ${card.name}`, { maxLength: 60 }),
    summary: cleanText(`The agent at ${host} says: ${card.description ?? card.name}`, { maxLength: 190 }),
    whenToUse: [`the user needs the agent ${name}`, ...skills],
  }
}
