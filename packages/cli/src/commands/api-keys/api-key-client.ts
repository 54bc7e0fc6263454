import { type ApiKeys, ProblemError } from '@sibyl/client'
import { apiKeyList, createdApiKeyRecord } from '@sibyl/protocol'
import { cliErrors } from '../../errors/cli-errors.ts'
import { listAsOperator } from '../../oracle/list-as-operator.ts'
import { openOracle } from '../../oracle/open-oracle.ts'
import { requestOperator } from '../../oracle/request-operator.ts'
import type { CommandIo } from '../../process/command-io.ts'
import type { ApiKeyOptions } from './api-keys-options.ts'

/** Returns the API keys of an oracle, as the user or as the operator. */
export const openApiKeys = async (options: ApiKeyOptions, io: CommandIo): Promise<ApiKeys> => {
  if (options.operator) return operatorKeys(options, io)
  const { client, explained } = await openOracle(options, io)
  return {
    create: request => explained(client.apiKeys.create(request)),
    list: () => explained(client.apiKeys.list()),
    revoke: id => explained(client.apiKeys.revoke(id)),
  }
}

const operatorKeys = (options: ApiKeyOptions, io: CommandIo): ApiKeys => ({
  async create(body) {
    return createdApiKeyRecord.parse(await requestOperator({ method: 'POST', path: '/api-keys', body }, options, io))
  },
  list: () => listAsOperator('/api-keys', content => apiKeyList.parse(content).keys, options, io),
  async revoke(id) {
    await requestOperator({ method: 'DELETE', path: `/api-keys/${encodeURIComponent(id)}` }, options, io)
  },
})

/** Returns a usage error for an ID that the oracle does not know. */
export const explainUnknownId = (error: unknown): unknown =>
  error instanceof ProblemError && (error.code === 'api_key_not_found' || error.code === 'input_invalid')
    ? cliErrors.usage_invalid('You have no API key with this ID.', 'sibyl api-keys list shows your keys.', {
        cause: error,
      })
    : error
