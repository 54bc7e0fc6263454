import { z } from 'zod'

/** Most agents of A2A_AGENTS. */
const maxAgents = 20

/** An agent that the operator named. */
export interface AgentEntry {
  /** Name of the capability: lower case, digits and hyphens. */
  readonly name: string
  /** Address of its card. */
  readonly card: URL
  /** The required signer of its card: its own host, this DID, or none. */
  readonly trust: 'host' | 'unsigned' | { readonly did: string }
}

/** Reads A2A_AGENTS: `name=https://agent.example`, separated by commas, each with `#did:…` or `#unsigned` at its end if wanted. */
export const agentList = z.string().transform((text, context): readonly AgentEntry[] => {
  const entries: AgentEntry[] = []
  const fail = (message: string): readonly AgentEntry[] => {
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  const given = text.split(/[\s,]+/).filter(Boolean)
  if (given.length > maxAgents) return fail(`must have at most ${maxAgents} agents`)
  for (const [index, item] of given.entries()) {
    const entry = readEntry(item)
    if (typeof entry === 'string') return fail(`has an invalid agent (number ${index + 1}): ${entry}`)
    if (entries.some(({ name }) => name === entry.name)) return fail(`has two agents named ${entry.name}`)
    entries.push(entry)
  }
  return entries
})

const cardPath = '.well-known/agent-card.json'

const readEntry = (item: string): AgentEntry | string => {
  const [, given, address = ''] = /^(?:([^=/:]*)=)?(.*)$/.exec(item) ?? []
  if (!URL.canParse(address)) return 'its address is not a URL'
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'its address is neither http nor https'
  if (url.username !== '' || url.password !== '' || url.search !== '')
    return 'its address has a user, a password or a query'
  const mark = url.hash.slice(1)
  url.hash = ''
  if (mark !== '' && mark !== 'unsigned' && !/^did:(?:key|web):[\w.%:-]{1,300}$/.test(mark)) {
    return 'after # it has neither unsigned nor a did:key or did:web'
  }
  const name =
    given ??
    `agent-${url.host
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')}`.slice(0, 40)
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) || name.length > 40) {
    return 'its name has to be lower case, digits and single hyphens, at most 40'
  }
  const trust = mark === '' ? 'host' : mark === 'unsigned' ? 'unsigned' : { did: mark }
  const card = url.pathname.endsWith('.json') ? url : new URL(cardPath, url.href.endsWith('/') ? url : `${url.href}/`)
  return { name, card, trust }
}
