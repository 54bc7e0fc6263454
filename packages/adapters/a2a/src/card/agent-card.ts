import type { Host } from '@sibyl/plugin'
import type { HostCapability } from '@sibyl/plugin/host'
import { canonicalCard } from './canonical-card.ts'

/** Most skills of a card, and examples of one. */
const maxSkills = 200
const maxExamples = 10

/** Version of the card's form and of what stands behind it. */
const cardVersion = '0.1.0'

/** URI of the extension under which a card names the DIDs of an oracle. */
export const oracleExtension = 'urn:sibyl:a2a:oracle'

export interface CardParts extends Pick<Host, 'oracle' | 'identity'> {
  /** Returns the plugins and capabilities whose skills the card lists. */
  capabilities(): readonly HostCapability[]
}

/** Returns the agent card of the oracle; signed where the oracle has a key. */
export const agentCard = async (parts: CardParts): Promise<Record<string, unknown>> => {
  const { oracle, identity } = parts
  const { did, publicDid, verificationMethod } = identity
  const url = `${identity.url}/a2a`
  const card = {
    name: oracle.name,
    description: oracle.description ?? `The oracle ${oracle.name}.`,
    // For clients of A2A 0.3.
    protocolVersion: '0.3.0',
    url,
    preferredTransport: 'JSONRPC',
    security: [{ bearer: ['chat/send', 'session/read'] }],
    supportedInterfaces: ['JSONRPC', 'HTTP+JSON'].map(protocolBinding => ({
      url,
      protocolBinding,
      protocolVersion: '1.0',
    })),
    version: cardVersion,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extensions: [
        {
          uri: oracleExtension,
          description: 'The DIDs of the oracle, for delegations to it.',
          params: { publicDid, did },
        },
      ],
    },
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        httpAuthSecurityScheme: {
          scheme: 'Bearer',
          description:
            'An invocation (UCAN) for the DID of the oracle, a bearer token of POST /auth/token, or an API key.',
        },
      },
    },
    securityRequirements: [{ schemes: { bearer: { list: ['chat/send', 'session/read'] } } }],
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain'],
    skills: parts.capabilities().slice(0, maxSkills).map(skillOf),
  }
  if (did === undefined || verificationMethod === undefined) return card
  const header = { alg: 'EdDSA', typ: 'JOSE', kid: verificationMethod, jku: `${url}/keys` }
  const signed = base64url(JSON.stringify(header))
  const signature = await identity.sign(new TextEncoder().encode(`${signed}.${base64url(canonicalCard(card))}`))
  return { ...card, signatures: [{ protected: signed, signature: Buffer.from(signature).toString('base64url') }] }
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url')

const skillOf = ({ name, title, summary, whenToUse, tags, examples }: HostCapability) => ({
  id: name,
  name: title,
  description: `${summary} Use it when ${whenToUse.join('; ')}.`,
  tags: [name, ...tags],
  ...(examples.length > 0 ? { examples: examples.slice(0, maxExamples) } : {}),
})
