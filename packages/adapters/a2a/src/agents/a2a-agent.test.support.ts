import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type AgentCard, generateAgentCardSignature } from '@a2a-js/sdk'
import { AgentEvent, type AgentExecutor, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server'
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express'
import express from 'express'
import { onTestFinished } from 'vitest'
import type { Wire } from '../a2a-oracle.test.support.ts'

/** What the agent does with a message: its state, and its text. */
export type AgentAnswer = (text: string) => { readonly state: number; readonly text: string }

/** An agent made with the SDK. */
export interface SdkAgent {
  readonly url: string
  /** Texts that it received, with the ids of their contexts. */
  readonly heard: { readonly text: string; readonly contextId: string; readonly authorization: string | undefined }[]
  /** Changes the card as it is served, after its signature. */
  forge: (card: Wire) => unknown
}

interface AgentOptions {
  readonly isSigned?: boolean
  readonly binding?: 'JSONRPC' | 'HTTP+JSON'
  /** The DID that it claims in the extension of oracles. */
  readonly oracleDid?: string | undefined
}

/** Starts an agent with the server of the SDK, whose card is signed with ES256. */
export const startAgent = async (
  answer: AgentAnswer,
  { isSigned = true, binding = 'JSONRPC', oracleDid }: AgentOptions = {},
): Promise<SdkAgent> => {
  const app = express()
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const card: AgentCard = {
    name: 'Tides',
    description: 'Knows the tides.',
    supportedInterfaces: [{ url: `${url}/agent`, protocolBinding: binding, tenant: '', protocolVersion: '1.0' }],
    provider: undefined,
    version: '1.0.0',
    capabilities: {
      streaming: false,
      extensions: oracleDid
        ? [{ uri: 'urn:sibyl:a2a:oracle', description: 'x', required: false, params: { did: oracleDid } }]
        : [],
    },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [
      {
        id: 'high-water',
        name: 'High water',
        description: 'Tells when high water is.',
        tags: ['tides'],
        examples: [],
        inputModes: [],
        outputModes: [],
        securityRequirements: [],
      },
    ],
    signatures: [],
  }
  let authorization: string | undefined
  const agent: SdkAgent = { url, heard: [], forge: given => given }
  const executor: AgentExecutor = {
    async execute({ taskId, contextId, userMessage }, bus) {
      const [part] = userMessage.parts
      const output = part?.content?.$case === 'text' ? part.content.value : ''
      agent.heard.push({ text: output, contextId, authorization })
      const { state, text } = answer(output)
      const message = {
        messageId: crypto.randomUUID(),
        taskId,
        contextId,
        role: 2,
        parts: [{ content: { $case: 'text' as const, value: text }, metadata: undefined, filename: '', mediaType: '' }],
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      }
      const status = { state, message, timestamp: undefined }
      bus.publish(
        AgentEvent.task({ id: taskId, contextId, status, artifacts: [], history: [userMessage], metadata: undefined }),
      )
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }))
      bus.finished()
    },
    async cancelTask() {},
  }
  const sign = generateAgentCardSignature(privateKey, { alg: 'ES256', typ: 'JOSE', kid: 'k1', jku: `${url}/keys` })
  const requestHandler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    executor,
    undefined,
    undefined,
    undefined,
    undefined,
    isSigned ? sign : undefined,
  )
  app.use((request, _, next) => {
    authorization = request.header('authorization')
    next()
  })
  const agentCardProvider = async () => agent.forge(await requestHandler.getAgentCard()) as AgentCard
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider }))
  app.get(
    '/keys',
    (_, response) => void response.json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }] }),
  )
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication }
  app.use('/agent', binding === 'JSONRPC' ? jsonRpcHandler(options) : restHandler(options))
  return agent
}
