import type { RawApi } from '@sibyl/models/testing'
import { defineTool } from '@sibyl/plugin'
import { recordedLogger } from '@sibyl/plugin/testing'
import { type ReadStream, type TestApp, testApp } from '@sibyl/testing'
import { z } from 'zod'
import type { OracleAppOptions } from '../boot/oracle-app.ts'
import { officePlugin } from './office-plugin.ts'

/** A word of the provider that must not reach clients or logs. */
export const upstreamWord = 'hunter2'

/** The key that the oracle sends to its provider. */
export const upstreamKey = 'sk-canary-4242424242'

/** An oracle on a local provider, with two tools that record their runs. */
export interface UpstreamOracle extends AsyncDisposable {
  readonly oracle: TestApp
  /** The inputs of the tools' runs. */
  readonly ran: readonly string[]
  /** Runs one turn. @param session @default s1 */
  send(text?: string, session?: string): Promise<ReadStream>
  /**
   * Returns what reached the client or the log of the provider's texts, its address or the key; the reason of a failed
   * call may reach the operator's log only.
   */
  leaks(...streams: readonly ReadStream[]): readonly string[]
}

/** Boots an oracle on a provider. */
export const upstreamOracle = async (
  api: RawApi,
  url: string,
  env: Readonly<Record<string, string>> = {},
  options: Partial<OracleAppOptions> = {},
): Promise<UpstreamOracle> => {
  const ran: string[] = []
  const logger = recordedLogger()
  const tool = (name: string, effect: 'read' | 'write') =>
    defineTool({
      description: `Runs ${name}.`,
      input: z.object({ amount: z.number().optional(), note: z.string().optional() }).strict(),
      effect,
      execute: async input => {
        ran.push(`${name} ${JSON.stringify(input)}`)
        return 'done'
      },
    })
  const oracle = await testApp({
    plugins: [officePlugin({ tools: { look: tool('look', 'read'), pay: tool('pay', 'write') } })],
    logger,
    ...options,
    env: {
      LLM_PROVIDER: api,
      OPENAI_BASE_URL: url,
      OPENAI_API_KEY: upstreamKey,
      LLM_MODEL: 'model',
      LLM_MAX_RETRIES: '0',
      LLM_FIRST_BYTE_TIMEOUT_SECONDS: '80',
      LLM_STALL_TIMEOUT_SECONDS: '80',
      ...env,
    },
  })
  return {
    oracle,
    ran,
    send: (text = 'hi', session = 's1') => oracle.chat(text, { session }),
    leaks(...streams) {
      const text = streams.map(({ events }) => JSON.stringify(events)).join('')
      const logged = JSON.stringify(logger.lines.map(withoutReason), withErrors)
      const reasons = JSON.stringify(logger.lines.map(({ fields }) => fields?.reason))
      return [
        ...(text.match(/127\.0\.0\.1/g) ?? []),
        ...((text + logged).match(words) ?? []),
        ...(reasons.match(new RegExp(`${upstreamKey}|<html`, 'g')) ?? []),
      ]
    },
    [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose](),
  }
}

const words = new RegExp(`${upstreamWord}|${upstreamKey}|<html|node_modules`, 'g')

const withoutReason = ({ message, fields, ...line }: ReturnType<typeof recordedLogger>['lines'][number]) => {
  const isOfCall = message === 'a call of the language model failed and is not retried'
  return { ...line, message, fields: isOfCall ? { ...fields, reason: undefined } : fields }
}

/** Replacer that includes everything a log could show of errors. */
const withErrors = (_: string, value: unknown): unknown =>
  value instanceof Error ? { ...value, name: value.name, message: value.message, cause: value.cause } : value
